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
complete -c mediatokend -l config -r -F -d 'the configuration, which says everything'
complete -c mediatokend -l check-config -d 'try each step of the start, print what is ok, a warning or failed, with the cure, and exit'
complete -c mediatokend -l user -x -d 'with --check-config: the user that tries the start'
complete -c mediatokend -l dev -d 'try it: a key for development, a table in memory, a socket here, and commands to paste'
complete -c mediatokend -l socket -r -F -d 'with --dev and no --config: the UNIX socket to answer on, which is made at the start'
complete -c mediatokend -l inspector -r -F -d 'with --dev and no --config: where refusals are explained: 127.0.0.1:PORT, [::1]:PORT or the path of a socket'
complete -c mediatokend -l init -d 'write a first configuration, never over another file, and print the commands that come next'
complete -c mediatokend -l requestor -x -a '(__mediatokend_requestors)' -d 'with --init: the requestor that is served'
complete -c mediatokend -l resource -x -d 'with --init: a resource that is played'
complete -c mediatokend -l proxy -x -a 'none nginx caddy haproxy envoy' -d 'with --init: what asks: a proxy, or a back end by itself'
complete -c mediatokend -l keys -r -F -d 'with --init: the trusted public key, or a folder of them'
complete -c mediatokend -l handover-key -r -F -d 'with --init and nginx or caddy: also make the key of the credentials that they check, in this file'
complete -c mediatokend -l out -r -F -d 'with --init: the file to write'
complete -c mediatokend -l version -d 'print the version and exit'
complete -c mediatokend -l help -d 'print the options and exit'
