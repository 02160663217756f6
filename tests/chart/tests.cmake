# Charts drawn from fixed numbers, against tests/golden/chart_*.
add_executable(chart_draw ${CMAKE_CURRENT_LIST_DIR}/draw.c)
target_link_libraries(chart_draw PRIVATE ridge_static ridge_warnings)
add_test(NAME golden.charts COMMAND ${CMAKE_CURRENT_LIST_DIR}/run.sh
  $<TARGET_FILE:chart_draw> ${PROJECT_SOURCE_DIR}/tests/golden)
