/// The scripts that a seat runs, and their names there: the whole protocol on the seat's side.
///
/// Redis runs each of them alone and undivided. Claims and births begin alike: a process that is not a master, is another seat or belongs to
/// another fleet says so before anything is changed. The owner of the data is read where it can't be forged or stale, in the process itself:
/// `master_replid` changes whenever the data may have been lost, rolled back or exchanged.
enum SeatScripts {
  /// A script and its name for `EVALSHA`.
  struct Script: Sendable {
    let text: String
    /// SHA-1 of the text, in 40 hexadecimal digits.
    let name: String
  }

  /// Spends the tokens of a batch.
  ///
  /// Claims of one second that follow each other share two commands, as a command costs a seat more than what
  /// it does: one asks whose the bucket is and what it has, the other adds what is new. Of two for one token the first is new.
  static let claims = Script(
    text: start + """
      if t[1] ~= o then return redis.error_reply('MTTENURE no tenure') end
      local from, high, r, n = tonumber(t[3]), tonumber(t[4]), {now}, 4
      while n <= #ARGV do
        local second, word, ids = ARGV[n + 1], n + 2, {''}
        repeat
          ids[#ids + 1], n = ARGV[n], n + 3
        until ARGV[n + 1] ~= second
        local s, b, known, new, words, all = tonumber(second), k .. ':' .. second, nil, {}, {}, nil
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
          local a = all or known[x] or words[id]
          if not a then
            a, words[id] = 1, ARGV[word]
            new[#new + 1], new[#new + 2] = id, ARGV[word]
          end
          r[#r + 1], word = a, word + 3
        end
        if new[1] then c('HSET', b, unpack(new)) end
      end
      return r

      """,
    name: "de9a4a8ddc844a9c8ccf5b86926e18d73afa7987")

  /// Gives the seat an epoch, if it has none, and makes the buckets up to now: hosts call it every few seconds, and so no claim has
  /// to make those of a founding or of an idle hour. Where the clocks of seat and host differ none are made: a `high` that a clock
  /// which was ahead for a moment had moved would stay there. A seat that can't write them says so.
  ///
  /// A fresh one names the owner that the operator saw: the data that were lost since then may have been votes.
  ///
  /// A host that heard a time of this seat far ahead of both clocks begins nothing: the floor would be there. Another may.
  ///
  /// A former process votes for what is issued up to its own clock + F + 5, and where its address was moved, hosts ask it for
  /// five seconds more and wait for one: so the floor is F + 12 above all clocks.
  ///
  /// One command replaces it, so that an error leaves the old one, whose floor the next birth must know.
  static let birth = Script(
    text: start + """
      local from, high, made, host, s = tonumber(t[3]), tonumber(t[4]), 0, tonumber(ARGV[4]), now
      local off = math.abs(now - host) > 5
      if t[1] ~= o then
        if off then return redis.error_reply('MTCLOCK ' .. now) end
        if ARGV[6] ~= '' then
          if c('EXISTS', k) == 1 then return redis.error_reply('MTOLD has a tenure') end
          if ARGV[6] ~= o then return redis.error_reply('MTDATA other data') end
          from = 0
        else
          local latest, heard = math.max(now, host), tonumber(ARGV[5])
          if heard > latest + 60 then return redis.error_reply('MTCLOCK ' .. now) end
          local floor = math.max(latest, heard) + ARGV[2] + 12
          from = math.max(floor, from or 0, (high or -1) + 1)
        end
        high, made = from - 1, 1
        c('HSET', k, 'owner', o, 'seat', ARGV[1], 'from', from, 'high', high)
      end
      if s > high and not off then
        \(makeBuckets)
      end
      return {now, from, high, made}

      """,
    name: "4133742f9674e44ec9c3106c88d45817c0bcab48")

  /// Sees whether the seat takes writes, and touches nothing that it has.
  static let probe = Script(
    text: """
      redis.call('HSET', KEYS[1], '', '1')
      return redis.call('DEL', KEYS[1])

      """,
    name: "78df3d0d88c924ac0e827c59115f438dc7f47ea5")

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
  private static let start = """
    local c, k, i = redis.call, KEYS[1], redis.call('INFO', 'replication')
    if not i:find('role:master', 1, true) then return redis.error_reply('MTROLE not a master') end
    local t = c('HMGET', k, 'owner', 'seat', 'from', 'high')
    local o = t[1]
    if not o or #o ~= 40 or not i:find('master_replid:' .. o, 1, true) then o = i:match('master_replid:(%x+)') end
    if t[2] and t[2] ~= ARGV[1] then
      if t[2]:sub(1, 17) == ARGV[1]:sub(1, 17) then return redis.error_reply('MTSEAT another seat') end
      return redis.error_reply('MTFLEET another fleet')
    end
    local now = tonumber(c('TIME')[1])

    """
}
