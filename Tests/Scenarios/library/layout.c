/* The sizes and offsets that programs were compiled with: a struct grows at its end, or not at all. */
#include <stddef.h>

#include <mediatoken.h>

#define AT(type, member, offset) _Static_assert(offsetof(mediatoken_##type, member) == (offset), #type "." #member)
AT(text, bytes, 0);
AT(text, length, 8);
_Static_assert(sizeof(mediatoken_text) == 16, "text");
AT(policy, size, 0);
AT(policy, max_ttl_ms, 8);
AT(policy, future_tolerance_ms, 16);
AT(policy, expiry_tolerance_ms, 24);
AT(policy, retry_window_ms, 32);
AT(policy, unknown_fields, 40);
AT(policy, mvpds, 44);
AT(policy, allowed_mvpds, 48);
AT(policy, allowed_mvpd_count, 56);
AT(policy, denied_mvpds, 64);
AT(policy, denied_mvpd_count, 72);
AT(policy, fleet_deadline_ms, 80);
AT(policy, fleet_credentials, 88);
AT(policy, local_table, 104);
AT(policy, allowed_proxy_mvpds, 120);
AT(policy, allowed_proxy_mvpd_count, 128);
AT(policy, proxy_mvpds, 136);
AT(policy, fleet_grace_seconds, 140);
_Static_assert(sizeof(mediatoken_policy) == 144, "policy");
AT(request, size, 0);
AT(request, flags, 8);
AT(request, caller_uid, 12);
AT(request, token, 16);
AT(request, requestor, 32);
AT(request, resource, 48);
AT(request, now_ms, 64);
AT(request, request_id, 72);
AT(request, resource_match, 88);
AT(request, reserved, 92);
_Static_assert(sizeof(mediatoken_request) == 96, "request");
_Static_assert(sizeof(mediatoken_code) == sizeof(int) && sizeof(mediatoken_use) == sizeof(int), "enums");

int main(void) { return mediatoken_abi_version() == MEDIATOKEN_ABI_VERSION ? 0 : 1; }
