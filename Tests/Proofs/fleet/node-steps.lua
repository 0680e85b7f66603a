-- The real scripts take every step that the model's nodes took, in a Redis of tables: the same reply, the same data afterwards.
--
--   model steps | lua5.1 node-steps.lua
--
-- What comes in is Lua: `claims` and `start`, the texts of the scripts; `run()`; then a `step{…}` a line.
local key, identity = '{mt2:proof}', 'the token'
local store, time, scripts, steps, wrong = {}, 0, {}, 0, 0
local changes, broken = 0, false
-- This incarnation's owner, and another's: 40 hexadecimal digits, as in Redis.
local ours, former = ('b'):rep(40), ('a'):rep(40)

local commands = {
  INFO = function() return 'role:master\r\nmaster_replid:' .. ours .. '\r\nmaster_replid2:' .. former .. '\r\n' end,
  TIME = function() return { tostring(time), '0' } end,
  HMGET = function(k, ...)
    local found = {}
    for n, field in ipairs { ... } do found[n] = store[k] and store[k][field] or false end
    return found
  end,
  HSET = function(k, ...)
    local given = { ... }
    store[k] = store[k] or {}
    for n = 1, #given, 2 do store[k][tostring(given[n])] = tostring(given[n + 1]) end
    changes = changes + 1
    return #given / 2
  end,
  DEL = function(k)
    changes = changes + 1
    local had = store[k]
    store[k] = nil
    return had and 1 or 0
  end,
  EXISTS = function(k) return store[k] and 1 or 0 end,
  EXPIREAT = function(k, at)
    -- A start goes on after an error.
    local isInTime = store[k] and at - tonumber(k:match('(%d+)$')) == tonumber(ARGV[3]) + 6
    broken = broken or not isInTime and 'a bucket that is not there expires, or one too early or too late'
    return 1
  end,
}

redis = {
  call = function(name, ...) return assert(commands[name], name)(...) end,
  error_reply = function(text) return { err = text } end,
}

local errors = {
  epoch = 'MTEPOCH', node = 'MTNODE', fleet = 'MTFLEET', clock = 'MTCLOCK', far = 'MTCLOCK', old = 'MTOLD', data = 'MTDATA',
}

function run()
  scripts.claims = assert(loadstring(claims, 'claims'))
  scripts.start = assert(loadstring(start, 'start'))
end

local function node(of) return ('%016d:%d'):format(of.fleet, of.node) end
local function owner(now) return now and ours or former end

-- The keys of such data.
local function keys(data, token)
  local kept = {}
  local epoch, bucket = data.epoch, data.bucket
  if epoch then
    kept[key] = {
      owner = owner(epoch.now), node = node(epoch), from = tostring(epoch.from), high = tostring(epoch.high),
    }
  end
  if bucket then
    kept[key .. ':' .. token] = { [''] = owner(bucket.now), [identity] = bucket.ballot > 0 and ('ballot %d'):format(bucket.ballot) or nil }
  end
  return kept
end

local function same(one, other)
  if not one or not other then return one == other end
  for field, value in pairs(one) do if other[field] ~= value then return false end end
  for field in pairs(other) do if one[field] == nil then return false end end
  return true
end

local function show(hash)
  if not hash then return 'nothing' end
  local parts = {}
  for field, value in pairs(hash) do parts[#parts + 1] = field .. '=' .. value end
  table.sort(parts)
  return table.concat(parts, ' ')
end

-- What the script said, in the model's words: one for each claim, or one error for all.
local function said(reply, it)
  if reply.err then
    assert(changes == 0, 'an error changes something')
    return { reply.err:match('^%u+') }
  end
  if it.now then
    assert(reply[1] == it.time and #reply == 4, 'a start says something else')
    assert(tostring(reply[2]) == store[key].from and tostring(reply[3]) == store[key].high, 'a start says other numbers')
    return { 'made' }
  end
  assert(reply[1] == it.time, 'it is another time')
  local words = {}
  for n = 2, #reply do words[n - 1] = reply[n] == 1 and 'new' or tostring(reply[n]):gsub('^ballot ', '') end
  return words
end

-- What a node says to another token is that token's own affair: its bucket is not in the model.
local function agrees(words, it)
  for n, word in ipairs(it.reply) do
    local expected = errors[word] or word
    local isOther = it.claims and not it.claims[n][2] and not errors[word]
    if words[n] ~= expected and not isOther then
      -- An error is for the whole batch.
      if not (n > 1 and errors[word]) then return false end
    end
  end
  return true
end

function step(it)
  steps = steps + 1
  store, time, changes = keys(it.before, it.token), it.time, 0
  KEYS, ARGV = { key }, { node(it), tostring(it.ahead), tostring(it.life) }
  local reply
  if it.claims then
    for _, claim in ipairs(it.claims) do
      ARGV[#ARGV + 1] = claim[2] and identity or 'another'
      ARGV[#ARGV + 1] = tostring(claim[1])
      ARGV[#ARGV + 1] = ('ballot %d'):format(claim[2] or 9)
    end
    reply = scripts.claims()
  else
    local vouched = it.fresh and (it.fresh == 'ours' and ours or former) or ''
    for _, word in ipairs { tostring(it.now), tostring(it.highest), vouched } do ARGV[#ARGV + 1] = word end
    reply = scripts.start()
  end
  assert(not broken, broken)
  local words, after, bucket = said(reply, it), keys(it.after, it.token), key .. ':' .. it.token
  if agrees(words, it) and same(store[key], after[key]) and same(store[bucket], after[bucket]) then return end
  wrong = wrong + 1
  if wrong <= 5 then
    print(('FAILED: step %d: said %s, the model %s; %s / %s, the model %s / %s'):format(
      steps, table.concat(words, ' '), table.concat(it.reply, ' '), show(store[key]), show(store[bucket]),
      show(after[key]), show(after[bucket])))
  end
end

local text = {}
for line in io.lines() do
  if line:sub(1, 5) == 'step{' then
    assert(loadstring(line))()
  elseif line == 'run()' then
    assert(loadstring(table.concat(text, '\n')))()
    run()
  else
    text[#text + 1] = line
  end
end
print(('scripts: %d steps of the model taken by the real scripts, %d otherwise'):format(steps, wrong))
os.exit(wrong == 0 and steps > 0 and 0 or 1)
