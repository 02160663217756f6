# The sources of docs/articles.md, read line by line:
#
#   article NUMBER FILE          a document follows; FILE is its text in ../shared/reference
#   # ANCHOR :: en :: zh         a chapter;  ## ANCHOR :: en :: zh  a section
#   title en :: zh
#   en TEXT / zh TEXT            a paragraph; indented lines go on with it (zh1: line by line)
#   $ COMMAND                    is run with --json, and printed; the rows below read it
#   = label :: [zh ::] FIGURE :: FILTER
#                                a row: what the article has, and a jq filter for ours.
#                                FIGURE is "NUMBER UNIT", "TEXT = NUMBER UNIT", words to be
#                                equal to, "WORDS text" to be shown beside ours and not
#                                compared, or "- UNIT" where the article has no figure;
#                                a NUMBER may be a range, 20-30, or a list, 5 / 6.8 / NA;
#                                "en || zh text" where the words have two languages
#       right NUMBER|WORDS       the right value where the figure is not (in the same unit)
#       slip N / see N           the slip's place, told once / another that follows from it
#       en TEXT / zh TEXT        why they differ, or a remark
#       free                     FIGURE is ours, not printed so in the article
#       unlisted                 nor is it, or the right one, so in the list of slips
#   > COMMAND                    is run and shown with what it prints
#       show REGEX / from REGEX  only those lines / the lines from there on
#   {slip N} in a paragraph      the place of a slip that is in words alone
#
# A figure agrees within 0.5 %, or within 3 % to the digits that are printed; one that the
# article calls rough (~), within 5 %.
BEGIN {
    split("s 1 ms 1e-3 us 1e-6 ns 1e-9 B 1 kB 1e3 MB 1e6 GB 1e9 TB 1e12 KB 1e3 KiB 1024 " \
        "MiB 1048576 B/s 1 GB/s 1e9 TB/s 1e12 Gb/s 125e6 Tb/s 125e9 FLOP 1 GFLOP 1e9 MFLOP 1e6 " \
        "TFLOP 1e12 " \
        "FLOP/s 1 GFLOP/s 1e9 TFLOP/s 1e12 PFLOP/s 1e15 Hz 1 MHz 1e6 GHz 1e9 W 1 kW 1e3 " \
        "FLOP/B 1 % 0.01 x 1 cycles 1 MiB/s 1048576 lanes 1", pair, " ")
    for (i = 1; i in pair; i += 2) scale[pair[i]] = pair[i + 1]
    if (pass == 1) {
        while ((getline line < defs) > 0) print line >"answers.jq"
        print ". as $d |" >"answers.jq"
        printf "" >"commands"
    } else {
        while ((getline line < "answers") > 0) answer[++answers] = line
        while ((getline line < errata) > 0) note_slip(line)
        for (l = 1; l <= 2; l++)
            say(l, l == 1 ? "<!-- Written by tests/docs/articles.sh from docs/articles; " \
                "edit those. -->" : "<!-- 由 tests/docs/articles.sh 从 docs/articles 生成，" \
                "请修改后者。 -->")
    }
}
function fail(what) {
    if (++bad <= 30) printf "%s:%d: %s\n", FILENAME, FNR, what >"/dev/stderr"
}
function trim(text) { sub(/^ +/, "", text); sub(/ +$/, "", text); return text }
function say(language, text) { print text >(language == 1 ? "en.md" : "zh.md") }
function note_slip(line, cell, n) {
    n = csv(line, cell)
    if (cell[1] + 0 < 1) return
    slip_article[cell[1] + 0] = cell[2]
    slip_place[cell[1] + 0] = cell[3]
    slip_seed[cell[1] + 0] = cell[4]
    slip_right[cell[1] + 0] = cell[5]
}
function csv(line, cell, n, inside, i, c) {
    n = 1
    cell[1] = cell[2] = cell[3] = cell[4] = cell[5] = ""
    for (i = 1; i <= length(line); i++) {
        c = substr(line, i, 1)
        if (c == "\"") inside = !inside
        else if (c == "," && !inside) cell[++n] = ""
        else cell[n] = cell[n] c
    }
    return n
}
# The number with four digits, in plain figures.
function figure(value, text) {
    if (value == int(value) && value < 1e15 && value > -1e15) return sprintf("%.0f", value)
    text = sprintf("%.4g", value)
    if (text ~ /e[+]/) text = sprintf("%.0f", value)
    return text
}
# Half a unit of the last digit that is printed.
function grain(text, digits) {
    gsub(/,/, "", text)
    if (text !~ /[.]/) return 0.5
    digits = length(text) - index(text, ".")
    return 0.5 * 10 ^ -digits * 1.000001
}
function near(a, b, tolerance, d) {
    d = a - b
    if (d < 0) d = -d
    return d <= tolerance
}
function size(a) { return a < 0 ? -a : a }
function commas(text, head, tail) {
    head = text
    tail = ""
    if (index(text, ".")) { head = substr(text, 1, index(text, ".") - 1)
        tail = substr(text, index(text, ".")) }
    while (length(head) > 3) {
        tail = "," substr(head, length(head) - 2) tail
        head = substr(head, 1, length(head) - 3)
    }
    return head tail
}
function slip_word(language, n) {
    return language == 1 ? "slip " n : "勘误 " n
}
function place(language, n) {
    return "<a id=\"slip-" n "\"></a>**" slip_word(language, n) "**"
}
function told(n) {
    if (n in slip_line) fail("slip " n " is told twice")
    slip_line[n] = section
    if (listed[section] == "") order[++sections] = section
    listed[section] = listed[section] (listed[section] == "" ? "" : ", ") \
        "[" n "](#slip-" n ")"
    if (n in slip_article && slip_article[n] != article)
        fail("slip " n " is of article " slip_article[n])
}
# Does the list of slips have one of these numbers (a / b, a-b)?
function listed_in(text, numbers, have, want, i, j, n, m) {
    gsub(/[,~]/, "", text)
    gsub(/[^0-9.]+/, " ", text)
    gsub(/[^0-9.]+/, " ", numbers)
    n = split(text, have, " ")
    m = split(numbers, want, " ")
    for (j = 1; j <= m; j++)
        for (i = 1; i <= n; i++)
            if (near(have[i], want[j], 0.005 * size(want[j]))) return 1
    return m == 0
}
function hold_against_list(n, given, correct) {
    if (!(n in slip_seed)) return
    sub(/^.* = /, "", given)
    gsub(/,/, "", given)
    if (!listed_in(slip_seed[n] " " slip_place[n], given))
        fail("slip " n ": the list has " slip_seed[n] ", not " given)
    if (correct != "" && !listed_in(slip_right[n], correct))
        fail("slip " n ": the list has " slip_right[n] ", not " correct)
}
# {slip N} and {see N} in a paragraph.
function mark(language, text, n, before) {
    while (match(text, /[{](slip|see) [0-9]+[}]/)) {
        before = substr(text, RSTART + 1, RLENGTH - 2)
        n = before
        sub(/^[a-z]+ /, "", n)
        if (before ~ /^slip/ && language == 1) told(n)
        text = substr(text, 1, RSTART - 1) \
            (before ~ /^slip/ ? place(language, n) : \
            "[" slip_word(language, n) "](#slip-" n ")") substr(text, RSTART + RLENGTH)
    }
    return text
}
function end_paragraph() {
    if (held == "") return
    if (pass == 2) { say(speaks, ""); say(speaks, mark(speaks, held)) }
    held = ""
}
# Is the value within 0.5 % of the number, or of the range LOW-HIGH?
function within(value, span, ends) {
    if (split(span, ends, "-") == 1) ends[2] = ends[1]
    return value >= ends[1] - 0.005 * size(ends[1]) && \
        value <= ends[2] + 0.005 * size(ends[2])
}
# One figure against one answer (in the same unit) and, if there is one, the right value.
function judge(number, ours, correct, plain, fine) {
    if (number == "NA") {
        if (ours != "null") fail(label[1] ": " ours " where the article has none")
        return "–"
    }
    if (ours == "" || ours == "null" || ours ~ /^ERROR/) {
        fail(label[1] ": no answer (" ours ")")
        return "?"
    }
    ours /= unit == "" ? 1 : scale[unit]
    plain = number
    gsub(/[~<>,+]/, "", plain)
    if (plain != "-") {
        fine = within(ours, plain) || \
            (number ~ /^~/ && near(ours, plain, 0.05 * size(plain))) || \
            (plain !~ /-/ && correct == "" && near(ours, plain, 0.03 * size(plain)) && \
            near(ours, plain, grain(plain)))
        if (!fine) differs = 1
        if (correct == "" && !fine) fail(label[1] ": " ours " is not " number " " unit)
        if (!free && figures !~ / = / && !in_article(plain))
            fail(label[1] ": " plain " is not in the article")
        compared = 1
    }
    if (correct != "" && !within(ours, correct))
        fail(label[1] ": " ours " is not " correct " " unit)
    return figure(ours)
}
# The figure, the answer and the right value are lists with " / " in between, or one each.
function end_row(text, ours, n, i, l, why, verdict, number, value, correct) {
    if (label[1] == "") return
    if (pass == 1) { label[1] = ""; return }
    text = figures
    sub(/^.* = /, "", text)
    ours = answer[row]
    differs = compared = 0
    unit = text
    if (!sub(/^([^ ]+ \/ )*[^ ]+ /, "", unit)) unit = ""
    if (unit in scale || text ~ /^([~<>0-9.,+-]+|NA)( \/ ([~<>0-9.,+-]+|NA))*$/) {
        if (!(unit in scale)) unit = ""
        if (unit != "") text = substr(text, 1, length(text) - length(unit) - 1)
        n = split(text, number, / \/ /)
        gsub(/[][]/, "", ours)
        split(ours, value, ",")
        split(right, correct, / \/ /)
        ours = ""
        for (i = 1; i <= n; i++)
            ours = ours (i > 1 ? " / " : "") \
                judge(number[i], value[i], has_right ? correct[i] : "")
        if (has_right && compared && !differs) fail(label[1] ": the figure is right")
        if (has_right && !slip && !see && reason[1] == "")
            fail(label[1] ": differs without a reason")
        if (unit != "" && unit != "x") ours = ours " " unit
    } else {
        if (ours == "" || ours == "null" || ours ~ /^ERROR/)
            fail(label[1] ": no answer (" ours ")")
        if (has_right ? ours != right : text !~ / text$/ && ours != text)
            fail(label[1] ": " ours " is not " (has_right ? right : text))
        compared = text !~ / text$/
    }
    gsub(/[{}]/, "", ours)
    if (slip) told(slip)
    if (slip && !free && !unlisted) hold_against_list(slip, figures, has_right ? right : "")
    for (l = 1; l <= 2; l++) {
        text = shows[l]
        if (text ~ /^-( \/ -)* [^\/]/) text = "–"
        sub(/ (text|x)$/, "", text)
        verdict = ""
        why = mark(l, reason[l])
        if (slip || see)
            verdict = "[" slip_word(l, slip + see) "](#slip-" slip + see ")"
        else if (compared && !differs && !has_right) verdict = l == 1 ? "agrees" : "一致"
        if (slip) { # told below the table, which stays narrow
            notes[l] = notes[l] "- " place(l, slip) (l == 1 ? ", " : "，") label[l] \
                (l == 1 ? ": " : "：") why "\n"
            why = ""
        }
        if (why != "" && verdict != "") verdict = verdict (l == 1 ? ": " : "：") why
        else if (why != "") verdict = why
        rows[l] = rows[l] "| " label[l] " | " text " | " ours " | " verdict " |\n"
    }
    if ((reason[1] == "") != (reason[2] == "")) fail(label[1] ": one language only")
    label[1] = ""
}
function in_article(number) {
    if (text_of == "") return 1
    return index(text_of, number) || index(text_of, commas(number))
}
function end_group(l) {
    end_paragraph()
    end_row()
    end_show()
    if (block != "" && pass == 2)
        for (l = 1; l <= 2; l++) {
            say(l, "\n```sh\n" block "```")
            if (rows[l] != "") {
                say(l, l == 1 ? "\n| | article | `ridge` | |\n|---|---|---|---|" : \
                    "\n| | 文章 | `ridge` | |\n|---|---|---|---|")
                printf "%s", rows[l] >(l == 1 ? "en.md" : "zh.md")
            }
            if (notes[l] != "") printf "\n%s", notes[l] >(l == 1 ? "en.md" : "zh.md")
        }
    block = rows[1] = rows[2] = notes[1] = notes[2] = ""
}
function end_show(line, out, gap) {
    if (shown == "") return
    if (pass == 2) {
        out = "$ " shown "\n"
        while ((getline line < ("text." commands)) > 0) {
            if (start != "" && line ~ start) start = ""
            if (start != "" || filter != "" && line !~ filter) { gap = 1; continue }
            if (gap) out = out "...\n"
            gap = 0
            out = out line "\n"
        }
        if (gap) out = out "...\n"
        for (l = 1; l <= 2; l++) say(l, "\n```console\n" out "```")
    }
    shown = ""
}
/^ *;;/ { next }

/^article / {
    end_group()
    article = $2
    text_of = ""
    if (pass == 2)
        while ((getline line < (reference "/" $3)) > 0) text_of = text_of line "\n"
    next
}
/^##? / {
    end_group()
    split(substr($0, index($0, " ") + 1), part, / :: /)
    section = part[1]
    title[section, 1] = part[2]
    title[section, 2] = part[3]
    if (pass == 2)
        for (l = 1; l <= 2; l++) {
            say(l, "\n<a id=\"" part[1] "\"></a>")
            say(l, "\n" ($1 == "#" ? "## " : "### ") part[l + 1])
        }
    next
}
/^title / {
    split(substr($0, 7), part, / :: /)
    if (pass == 2) for (l = 1; l <= 2; l++) say(l, "\n# " part[l])
    next
}
/^(en|zh1?) / {
    if (block != "" || shown != "" || label[1] != "") end_group()
    end_paragraph()
    speaks = $1 == "en" ? 1 : 2
    breaks = $1 != "zh" # Chinese lines join without a blank, but for lists (zh1)
    held = substr($0, length($1) + 2)
    next
}
/^\$ / {
    if (held != "" || shown != "") end_group()
    end_row()
    print "json " substr($0, 3) >"commands"
    commands++
    documents++
    block = block substr($0, 3) "\n"
    next
}
/^> / {
    end_group()
    shown = substr($0, 3)
    filter = start = ""
    commands++
    if (pass == 1) print "text " shown >"commands"
    next
}
/^= / {
    end_row()
    n = split(substr($0, 3), part, / :: /)
    if (n < 3 || n > 4) { fail("a row has 3 or 4 fields"); next }
    label[1] = part[1]
    label[2] = part[n - 2]
    if (n == 3) label[2] = part[1]
    figures = shows[1] = shows[2] = part[n - 1]
    if (split(part[n - 1], each, / \|\| /) == 2) {
        shows[1] = figures = each[1] (part[n - 1] ~ / text$/ ? " text" : "")
        shows[2] = each[2]
    }
    reason[1] = reason[2] = ""
    slip = see = has_right = free = unlisted = 0
    row++
    if (pass == 1)
        printf "($d[%d] | try first((%s), null) catch (\"ERROR \" + tostring) | tostring),\n", \
            documents - 1, part[n] >"answers.jq"
    next
}
/^ / {
    line = trim($0)
    word = line
    sub(/ .*/, "", word)
    rest = trim(substr(line, length(word) + 1))
    if (held != "") held = held (breaks ? "\n" : "") line
    else if (shown != "" && word == "show") filter = rest
    else if (shown != "" && word == "from") start = rest
    else if (label[1] == "") fail("a line that belongs to nothing: " line)
    else if (word == "slip") slip = rest
    else if (word == "see") see = rest
    else if (word == "right") { right = rest; has_right = 1 }
    else if (word == "free") free = 1
    else if (word == "unlisted") unlisted = 1
    else if (word == "en") { reason[1] = rest; last = 1 }
    else if (word == "zh") { reason[2] = rest; last = 2 }
    else reason[last] = reason[last] (last == 1 ? " " : "") line
    next
}
/^$/ { next }
{ fail("what is this: " $0) }
END {
    end_group()
    if (pass == 1) print "empty" >"answers.jq"
    else {
        for (l = 1; l <= 2; l++) {
            say(l, "\n<a id=\"slips\"></a>\n\n## " (l == 1 ? "The slips" : "勘误索引") "\n")
            for (n = 1; n <= sections; n++)
                say(l, "- [" title[order[n], l] "](#" order[n] ")" (l == 1 ? ": " : "：") \
                    listed[order[n]])
        }
        for (n = 1; n <= 70; n++)
            if (!(n in slip_line)) missing = missing " " n
        if (missing != "") fail("slips that are not told:" missing)
    }
    if (bad > 30) print bad - 30 " more" >"/dev/stderr"
    exit bad > 0
}
