# Ids are sorted, and JSON and CSV name the same ones.
ridge systems --csv | cut -d, -f1 | tail -n +2 >csv.txt
LC_ALL=C sort -c csv.txt && ridge systems --json | jq -r '.systems[].id' | cmp - csv.txt
ridge links --csv | cut -d, -f1 | tail -n +2 >csv.txt
LC_ALL=C sort -c csv.txt && ridge links --json | jq -r '.links[].id' | cmp - csv.txt
