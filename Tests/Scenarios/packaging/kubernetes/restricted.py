"""The rules of the Pod Security Standard "restricted", as far as they are about Linux:
https://kubernetes.io/docs/concepts/security/pod-security-standards/
"""

VOLUMES = {"configMap", "csi", "downwardAPI", "emptyDir", "ephemeral", "persistentVolumeClaim", "projected", "secret"}
SECCOMP = {"RuntimeDefault", "Localhost"}


def violations(spec):
    """What is against the rules in the specification of a pod."""
    for member in ("hostNetwork", "hostPID", "hostIPC"):
        if spec.get(member):
            yield f"{member} is true"
    for volume in spec.get("volumes", []):
        for kind in set(volume) - {"name"} - VOLUMES:
            yield f"volume {volume['name']}: {kind}"
    pod = spec.get("securityContext", {})
    yield from _contexts("the pod", pod)
    if pod.get("sysctls"):
        yield "the pod: sysctls"
    for container in spec.get("initContainers", []) + spec["containers"] + spec.get("ephemeralContainers", []):
        name, own = container["name"], container.get("securityContext", {})
        yield from _contexts(name, own)
        if any(port.get("hostPort") for port in container.get("ports", [])):
            yield f"{name}: hostPort"
        if own.get("privileged"):
            yield f"{name}: privileged"
        if own.get("allowPrivilegeEscalation") is not False:
            yield f"{name}: allowPrivilegeEscalation is not false"
        if own.get("procMount", "Default") != "Default":
            yield f"{name}: procMount"
        capabilities = own.get("capabilities", {})
        if "ALL" not in capabilities.get("drop", []) or set(capabilities.get("add", [])) - {"NET_BIND_SERVICE"}:
            yield f"{name}: capabilities"
        # A container's own member counts; without it the pod's.
        if own.get("runAsNonRoot", pod.get("runAsNonRoot")) is not True:
            yield f"{name}: runAsNonRoot is not true"
        if own.get("seccompProfile", pod.get("seccompProfile", {})).get("type") not in SECCOMP:
            yield f"{name}: seccompProfile"


def _contexts(name, context):
    """What is forbidden for pods and containers alike."""
    if context.get("runAsUser") == 0:
        yield f"{name}: runAsUser is 0"
    if context.get("seLinuxOptions") or context.get("windowsOptions"):
        yield f"{name}: seLinuxOptions or windowsOptions"
    if context.get("appArmorProfile", {}).get("type") == "Unconfined":
        yield f"{name}: appArmorProfile"
