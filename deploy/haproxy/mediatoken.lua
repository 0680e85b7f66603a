-- HAProxy asks mediatokend: /etc/haproxy/mediatoken.lua
--
-- The action lua.mediatoken sets txn.mediatoken_status: 200 lets the request through, 401 and 403 are the daemon's own, and
-- 503 is everything else, also no answer. txn.mediatoken_cookie is the cookie that came with the answer, which opens what follows.
--
-- lua.mediatoken_path: whether the request's path begins with txn.cookie_path, the path of which such a cookie speaks.
--
-- lua.mediatoken_query: what the origin gets of the query, or "unclear".

local socket = "unix@/run/mediatokend/mediatokend.sock"
-- HAProxy's client asks four times before it gives up: one second in all. The daemon knows a question that is asked again
-- by its X-Request-ID.
local timeout_milliseconds = 250

local function ask(txn)
  txn:set_var("txn.mediatoken_status", 503)
  local method = txn.f:method()
  local headers = {
    ["host"] = { "mediatokend" },
    -- As it came, not normalised: the daemon refuses what two readers could understand in two ways.
    ["x-original-uri"] = { txn.f:pathq() },
    ["x-original-method"] = { method },
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
  local status = response.status
  -- 204: verified and not spent, which is for a HEAD and plays nothing.
  if status == 204 and method == "HEAD" then status = 200 end
  if status == 200 or status == 401 or status == 403 then
    for _, name in ipairs({ "reason", "action" }) do
      local said = response.headers and response.headers["x-media-token-" .. name]
      txn:set_var("txn.mediatoken_" .. name, said and said[0] or "-")
    end
    local cookies = response.headers and response.headers["set-cookie"]
    if status == 200 and cookies then txn:set_var("txn.mediatoken_cookie", cookies[0]) end
    txn:set_var("txn.mediatoken_status", status)
  end
end

local function is_in_path(txn)
  local folder, path = txn:get_var("txn.cookie_path"), txn.f:path()
  return folder ~= nil and folder:sub(-1) == "/" and path:sub(1, #folder) == folder
end

-- What asks for a playlist of low-latency HLS that is not there yet, each of the three once, spelled so, and with such a value.
local function query_of_playlist(path, query)
  local found = {}
  if not path:lower():find("%.m3u8$") then return "" end
  for name, value in ("&" .. query):gmatch("&([^&=]*)([^&]*)") do
    local meant = name:gsub("%%5[Ff]", "_"):match("^_HLS_(%a+)$")
    if meant == "msn" or meant == "part" or meant == "skip" then
      local fits = value == "=YES" or value == "=v2"
      if meant ~= "skip" then fits = #value <= 21 and value:find("^=%d+$") end
      if found[meant] or name ~= "_HLS_" .. meant or not fits then return "unclear" end
      found[meant] = "&" .. name .. value
    end
  end
  return (((found.msn or "") .. (found.part or "") .. (found.skip or "")):gsub("^&", "?"))
end

core.register_fetches("mediatoken_path", is_in_path)
core.register_fetches("mediatoken_query", function(txn) return query_of_playlist(txn.sf:path(), txn.sf:query()) end)
core.register_action("mediatoken", { "http-req" }, ask, 0)
