# Sums up what make fuzz has logged: a line with package and target, and then what
# go test says of it.
/^[^ ]+ Fuzz[A-Za-z0-9_]*$/ { targets++; target = $1 " " $2 }
/^fuzz: elapsed: / {
	for (i = 1; i < NF; i++) {
		if ($i == "execs:") tried[target] = $(i+1)
		if ($i == "interesting:") fresh[target] = $(i+1)
	}
}
/^ *--- FAIL/ || /^FAIL/ { bad[target] = 1 }
/^    context deadline exceeded$/ { late[target] = 1 } # see the Makefile
END {
	for (t in tried) { inputs += tried[t]; kinds += fresh[t] }
	for (t in bad) if (!(t in late)) { failed++; print "failed:", t }
	printf "fuzz targets                         %10d\n", targets
	printf "inputs tried                         %10d\n", inputs
	printf "inputs that reached something new    %10d\n", kinds
	printf "targets that failed                  %10d\n", failed
}
