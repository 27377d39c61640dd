# Sums up what the tests of make crash have logged.
# before returns the number in front of the first word that begins with name.
function before(name,   i) {
	for (i = 2; i <= NF; i++)
		if (index($i, name) == 1) return $(i-1)
	return 0
}
/^ *--- PASS/ { passed++ }
/^ *--- SKIP/ { skipped++ }
/^ *--- FAIL/ { failed++; print }
/[0-9]+ crashes/ { power += before("crashes") }
/[0-9]+ cuts/ { power += $(NF-1) }
/ runs: / { faults += before("runs:") }
/ changes of [0-9]+ kinds/ { damaged += before("changes") }
/: [0-9]+ kills, [0-9]+ of them/ { kills += before("kills,"); sub(/.* and /, ""); starting += $1 }
/: [0-9]+ losses of power/ { cuts += before("losses") }
/: [0-9]+ damages of/ { files += before("damages") }
/: [0-9]+ backups restored; / { backups += before("backups") }
/control without syncing: / { controls += before("of"); disks += before("disks") }
/start to ready: / { sub(/.*start to ready: /, ""); ready = ready "  " $0 "\n" }
/wrong: [0-9]+$/ { wrong += $NF }
END {
	printf "kills of a server under load         %8d\n", kills
	printf "kills while it started               %8d\n", starting
	printf "losses of power, of a real disk      %8d\n", cuts
	printf "losses of power, simulated           %8d\n", power
	printf "file operations failed               %8d\n", faults
	printf "files damaged, server started        %8d\n", files
	printf "backups taken under load, restored   %8d\n", backups
	printf "entries damaged and found            %8d\n", damaged
	printf "acknowledged and lost, or half there %8d\n", wrong
	printf "control: lost where nothing is synced%8d of %d\n", controls, disks
	printf "tests passed, skipped, failed        %8d %d %d\n", passed, skipped, failed
	printf "from the start of the server until it is ready:\n%s", ready
}
