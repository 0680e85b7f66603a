/// The scripts that a node runs, and their names there: the whole protocol on the node's side.
///
/// Redis runs each of them alone and undivided. Claims and starts begin alike: a process that is not a master, is another node or belongs to
/// another fleet says so before anything is changed. The owner of the data is read where it can't be forged or stale, in the process itself:
/// `master_replid` changes whenever the data may have been lost, rolled back or exchanged.
enum NodeScripts {
  /// A script and its name for `EVALSHA`.
  struct Script: Sendable {
    let text: String
    /// SHA-1 of the text, in 40 hexadecimal digits.
    let name: String
  }

  /// Spends the tokens of a batch.
  ///
  /// Claims of one second that follow each other share two commands, as a command costs a node more than what
  /// it does: one asks whose the bucket is and what it has, the other adds what is new. Of two for one token the first is new.
  static let claims = Script(
    text: opening + """
      if t[1] ~= o then return redis.error_reply('MTEPOCH no epoch') end
      local from, high, r, n = tonumber(t[3]), tonumber(t[4]), {now}, 4
      while n <= #ARGV do
        local second, ballot, ids = ARGV[n + 1], n + 2, {''}
        repeat
          ids[#ids + 1], n = ARGV[n], n + 3
        until ARGV[n + 1] ~= second
        local s, b, known, new, ballots, all = tonumber(second), k .. ':' .. second, nil, {}, {}, nil
        if s < from then
          all = 'F'
        elseif s > high and s > now + ARGV[2] + 5 then
          all = 'A'
        else
          if s > high then
            \(makeBuckets)
          end
          known = c('HMGET', b, unpack(ids))
          if known[1] ~= o then all = 'F' end
        end
        for x = 2, #ids do
          local id = ids[x]
          local a = all or known[x] or ballots[id]
          if not a then
            a, ballots[id] = 1, ARGV[ballot]
            new[#new + 1], new[#new + 2] = id, ARGV[ballot]
          end
          r[#r + 1], ballot = a, ballot + 3
        end
        if new[1] then c('HSET', b, unpack(new)) end
      end
      return r

      """,
    name: "1f8ac155bf853c35d6ef66abcabab480a3df7334")

  /// Gives the node an epoch, if it has none, and makes the buckets up to now: hosts call it every few seconds, and so no claim has
  /// to make those of an initialisation or of an idle hour. Where the clocks of node and host differ none are made: a `high` that a clock
  /// which was ahead for a moment had moved would stay there. A node that can't write them says so.
  ///
  /// A fresh one names the owner that the operator saw: the data that were lost since then may have been votes.
  ///
  /// A host that heard a time of this node far ahead of both clocks begins nothing: the floor would be there. Another may.
  ///
  /// A former process votes for what is issued up to its own clock + F + 5, and where its address was moved, hosts ask it for
  /// five seconds more and wait for one: so the floor is F + 12 above all clocks.
  ///
  /// One command replaces it, so that an error leaves the old one, whose floor the next start must know.
  static let start = Script(
    text: opening + """
      local from, high, made, host, s = tonumber(t[3]), tonumber(t[4]), 0, tonumber(ARGV[4]), now
      local off = math.abs(now - host) > 5
      if t[1] ~= o then
        if off then return redis.error_reply('MTCLOCK ' .. now) end
        if ARGV[6] ~= '' then
          if c('EXISTS', k) == 1 then return redis.error_reply('MTOLD has an epoch') end
          if ARGV[6] ~= o then return redis.error_reply('MTDATA other data') end
          from = 0
        else
          local latest, heard = math.max(now, host), tonumber(ARGV[5])
          if heard > latest + 60 then return redis.error_reply('MTCLOCK ' .. now) end
          local floor = math.max(latest, heard) + ARGV[2] + 12
          from = math.max(floor, from or 0, (high or -1) + 1)
        end
        high, made = from - 1, 1
        c('HSET', k, 'owner', o, 'node', ARGV[1], 'from', from, 'high', high)
      end
      if s > high and not off then
        \(makeBuckets)
      end
      return {now, from, high, made}

      """,
    name: "3c6e450db518e2be0c11f0cfdc918aaa316bc42a")

  /// Sees whether the node takes writes, and touches nothing that it has.
  static let probe = Script(
    text: """
      redis.call('HSET', KEYS[1], '', '1')
      return redis.call('DEL', KEYS[1])

      """,
    name: "78df3d0d88c924ac0e827c59115f438dc7f47ea5")

  /// Gives the epoch another name, so that the node votes no more: as long as it has its data, it says that it is retired.
  static let retire = Script(
    text: opening + """
      if t[1] ~= o then return redis.error_reply('MTEPOCH no epoch') end
      return c('HSET', k, 'node', ARGV[1] .. ':retired')

      """,
    name: "db77144aebc91e41fc4afbe1c0f4fc29006f863b")

  /// Moves `high` to `s`, and makes the buckets in between.
  ///
  /// `high` is moved first: an error in between leaves seconds whose buckets are missing, which are forgotten, and never seconds
  /// whose buckets are empty. A bucket that is there already when `high` passes it is of a former life, so it goes.
  private static let makeBuckets = """
    c('HSET', k, 'high', s)
    local life = tonumber(ARGV[3])
    for x = math.max(high + 1, now - life), s do
      local y = k .. ':' .. x
      c('DEL', y)
      c('HSET', y, '', o)
      c('EXPIREAT', y, x + life + 6)
    end
    high = s
    """

  /// The beginning of both. Redis takes an error of one word for one without a name, so each has two. Checking that a known
  /// owner is still the owner is faster than finding out who the owner is.
  private static let opening = """
    local c, k, i = redis.call, KEYS[1], redis.call('INFO', 'replication')
    if not i:find('role:master', 1, true) then return redis.error_reply('MTROLE not a master') end
    local t = c('HMGET', k, 'owner', 'node', 'from', 'high')
    local o = t[1]
    if not o or #o ~= 40 or not i:find('master_replid:' .. o, 1, true) then o = i:match('master_replid:(%x+)') end
    if (t[1] or t[2]) and t[2] ~= ARGV[1] then
      if t[2] == ARGV[1] .. ':retired' then return redis.error_reply('MTRETIRED retired') end
      if t[2] and t[2]:sub(1, 17) == ARGV[1]:sub(1, 17) then return redis.error_reply('MTNODE another node') end
      return redis.error_reply('MTFLEET another fleet')
    end
    local now = tonumber(c('TIME')[1])

    """
}
