# cmake -DKIND=gpus -DDIR=data/gpus -DOUT=embedded_gpus.c -P tools/embed.cmake
#
# Each file becomes a string literal per line (compilers limit one literal, not their
# concatenation... which C limits to 65,535 bytes; our files stay far below).
string(REGEX REPLACE "s$" "" singular ${KIND})
file(GLOB files ${DIR}/*.yaml)
list(SORT files)
set(text "/* Made from data/${KIND} by tools/embed.cmake; not edited. */\n#include \"hw/hw.h\"\n\n")
set(rows "")
set(count 0)
foreach(file ${files})
  get_filename_component(id ${file} NAME_WLE)
  file(READ ${file} content)
  string(LENGTH "${content}" size)
  # Aliases are wanted without parsing: the line "aliases: [a, b]".
  string(REGEX MATCH "\naliases: *\\[([^]]*)\\]" found "${content}")
  set(aliases "")
  if(found)
    string(REGEX REPLACE "[,\"]" " " aliases "${CMAKE_MATCH_1}")
  endif()
  string(REPLACE "\\" "\\\\" content "${content}")
  string(REPLACE "\"" "\\\"" content "${content}")
  string(REPLACE "\n" "\\n\"\n    \"" content "${content}")
  string(APPEND text "static const char text_${count}[] =\n    \"${content}\";\n\n")
  string(APPEND rows "    {\"${id}\", text_${count}, sizeof text_${count} - 1, \"${aliases}\"},\n")
  math(EXPR count "${count} + 1")
endforeach()
if(count EQUAL 0)
  set(rows "    {0}\n")
endif()
string(APPEND text "const ridge__embedded ridge__embedded_${KIND}[] = {\n${rows}};\n"
  "const size_t ridge__embedded_${singular}_count = ${count};\n")
file(WRITE ${OUT} "${text}")
