# Completes the command line of mediatokend. Written by tools/reference from the program's table; change that, then run it.
function __mediatokend_requestors
    grep -o '"requestor": *"[^"\\]*"' /etc/mediatoken/mediatokend.json 2>/dev/null | sed 's/.*: *"//; s/"$//' | sort -u
end

# The fingerprints of the keys that were typed before.
function __mediatokend_fingerprints
    set -l typed (commandline -opc)
    set -l keys
    for index in (seq (count $typed))
        if test "$typed[$index]" = --keys -a $index -lt (count $typed)
            set -a keys --keys $typed[(math $index + 1)]
        end
    end
    test (count $keys) -gt 0; and mediatoken keys list $keys 2>/dev/null | sed -n 's/^fingerprint: //p'
end

complete -c mediatokend -f
complete -c mediatokend -l config -r -F -d 'the configuration; instead of all other options but --check-config, --dev and --stand-in'
complete -c mediatokend -l socket -r -F -d 'the UNIX socket to answer on, which is made at the start'
complete -c mediatokend -l keys -r -F -d 'trusted public keys: a PEM or DER file, a certificate, a JKS keystore, or a folder of them'
complete -c mediatokend -l allow-rsa-1024 -x -a '(__mediatokend_fingerprints)' -d 'keys of less than 2048 bits that are trusted all the same, such as Adobe\'s, by their fingerprints'
complete -c mediatokend -l requestor -x -a '(__mediatokend_requestors)' -d 'the requestors that are served'
complete -c mediatokend -l max-ttl -x -d 'the longest life that is granted; a longer one is cut'
complete -c mediatokend -l future-tolerance -x -d 'how far ahead of the clock a token may be issued'
complete -c mediatokend -l expiry-tolerance -x -d 'how long after its end a token is still accepted'
complete -c mediatokend -l replay -x -d 'what remembers used tokens: shared:PATH, a table of this host; shared:PATH?capacity=N, made if it is missing; redis:FLEET@SEAT,SEAT,…, seats that hosts share; or none:, which enforces nothing; must be chosen'
complete -c mediatokend -l retry-window -x -d 'for how long a repeated request gets its first answer; whole seconds count; X-Request-ID says which request it is'
complete -c mediatokend -l fleet-credentials -r -F -d 'the file with users and passwords of a fleet\'s seats, mode 0600 or 0640; one NUMBER USER PASSWORD per line, or * USER PASSWORD for all'
complete -c mediatokend -l fleet-deadline -x -d 'how long a token waits for a fleet\'s votes; 5 to 1000'
complete -c mediatokend -l local-table -r -F -d 'a table of this host as a second lock under a fleet; it must exist'
complete -c mediatokend -l threads -x -d 'how many threads answer requests'
complete -c mediatokend -l inspector -r -F -d 'where a support desk has refusals explained: 127.0.0.1:PORT, [::1]:PORT or the path of a socket of its own'
complete -c mediatokend -l check-config -d 'read configuration and keys, say what is wrong, and exit'
complete -c mediatokend -l dev -d 'try it: a key for development, a table in memory, a socket here, and commands to paste'
complete -c mediatokend -l stand-in -r -F -d 'with --dev: answer in Adobe Pass\'s place at 127.0.0.1:PORT or [::1]:PORT, with tokens of the development key'
complete -c mediatokend -l version -d 'print the version and exit'
complete -c mediatokend -l help -d 'print the options and exit'
