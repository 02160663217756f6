# What the sources in docs/articles say to read out of an answer.
def fact($f): $f | if type == "object" then .value else . end;
def peak($dtype): first(.peaks[] | select(.dtype == $dtype and .pipe == "matrix")).flop_per_s;
def sparse($dtype):
  first(.peaks[] | select(.dtype == $dtype and .pipe == "matrix")).sparse_flop_per_s;
def vector($dtype): first(.peaks[] | select(.dtype == $dtype and .pipe == "vector")).flop_per_s;
def ridge($dtype): first(.peaks[] | select(.dtype == $dtype and .pipe == "matrix")).ridge;
def level($level): first(.memory[] | select(.level == $level));
def dram: level("dram").bytes_per_s;
def stated: level("dram").stated_bytes_per_s.value;
def capacity: level("dram").capacity_bytes.value;
def link($name): first(.links[] | select(.name | test($name))).stated_bytes_per_s.value;
def limit($name): .limits[$name].value;
def each(f): [.gpus[] | (f) // null];
def per_cycle($dtype; $pipe):
  first(.peaks[] | select(.dtype == $dtype and .pipe == $pipe)).flop_per_cycle;
# Lanes of a part: one does a fused multiply-add, 2 FLOP, in a cycle.
def lanes($dtype): per_cycle($dtype; "vector") / 2 * .units.value;
def tensor_cores($fma): per_cycle("fp16"; "matrix") / 2 / $fma * .units.value;
# Latencies: a row of the three tables, by atom and, where there are several, argument.
def atom($name): first(.tables[][] | select(.atom == $name));
def atom($name; $argument): first(.tables[][] | select(.atom == $name and .argument == $argument));
# Of a system: a row of what its parts have together.
def total($what): first(.aggregate[] | select(.what == $what));
