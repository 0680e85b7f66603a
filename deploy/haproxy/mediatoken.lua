-- HAProxy asks mediatokend: /etc/haproxy/mediatoken.lua
--
-- The action lua.mediatoken sets txn.mediatoken_status to what the daemon answered: 200, 401 or 403; 503 for everything
-- else, also if nobody answers. Whoever is not 200 is not let in.

local socket = "unix@/run/mediatokend/mediatokend.sock"
local timeout_milliseconds = 1000

local function ask(txn)
  txn:set_var("txn.mediatoken_status", 503)
  local headers = {
    ["host"] = { "mediatokend" },
    -- As it came, not normalised: the daemon refuses what two readers could understand in two ways.
    ["x-original-uri"] = { txn.f:pathq() },
    -- Ours, so that a question that is repeated is known again.
    ["x-request-id"] = { txn.f:unique_id() },
  }
  -- Nothing else that the viewer sent. Two tokens go on as two: the daemon refuses them.
  local tokens = txn.http:req_get_headers()["x-media-token"]
  if tokens then
    headers["x-media-token"] = {}
    for index = 0, #tokens do table.insert(headers["x-media-token"], tokens[index]) end
  end

  local response = core.httpclient():get({
    url = "http://mediatokend/v1/auth", dst = socket, headers = headers, timeout = timeout_milliseconds,
  })
  if not response then return end
  if response.status == 200 or response.status == 401 or response.status == 403 then
    local reason = response.headers and response.headers["x-media-token-reason"]
    txn:set_var("txn.mediatoken_reason", reason and reason[0] or "-")
    txn:set_var("txn.mediatoken_status", response.status)
  end
end

core.register_action("mediatoken", { "http-req" }, ask, 0)
