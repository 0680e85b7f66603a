/// The two scripts that a seat runs, and by which names it knows them: the whole protocol on the seat's side.
///
/// Redis runs each of them alone and undivided. Both begin alike: who is not a master, is another seat or another fleet's says
/// so before anything is changed. The owner of the data is read where it can't be forged or stale, in the process itself:
/// `master_replid` changes whenever the data may have been lost, rolled back or exchanged.
enum SeatScripts {
  /// A script and what `EVALSHA` calls it.
  struct Script: Sendable {
    let text: String
    /// SHA-1 of the text, in 40 hexadecimal digits.
    let name: String
  }

  /// Spends the tokens of a batch.
  ///
  /// `high` is moved before the buckets are made: an error between them leaves seconds whose buckets are missing, which are
  /// forgotten, and never seconds whose buckets are empty. A bucket that is there already when `high` passes it is of a former
  /// life, so it goes. A bucket that was found sound stays so for the next claim: most claims of a batch are of one second.
  static let claims = Script(
    text: start + """
      if t[1] ~= o then return redis.error_reply('MTTENURE no tenure') end
      local life, from, high, r, sound, b = tonumber(ARGV[3]), tonumber(t[3]), tonumber(t[4]), {now}
      for n = 4, #ARGV, 3 do
        local s, a = tonumber(ARGV[n + 1]), 'F'
        if s >= from and s > high and s > now + F + 5 then
          a = 'A'
        elseif s >= from then
          if s > high then
            c('HSET', k, 'high', s)
            for x = math.max(high + 1, now - life), s do
              local y = k .. ':' .. x
              c('DEL', y)
              c('HSET', y, '', o)
              c('EXPIREAT', y, x + life + 6)
            end
            high = s
          end
          if s ~= sound then sound, b = nil, k .. ':' .. s end
          if sound or c('HGET', b, '') == o then
            sound = s
            a = c('HSETNX', b, ARGV[n], ARGV[n + 2])
            if a == 0 then a = c('HGET', b, ARGV[n]) end
          end
        end
        r[#r + 1] = a
      end
      return r

      """,
    name: "ffac05c0fbbc415e37065072631ce19475a61e28")

  /// Gives the seat a tenure, if it has none.
  ///
  /// A former process votes for what is issued up to its own clock + F + 5, and where its address was moved, hosts ask it for
  /// five seconds more and wait for one: so the floor is F + 12 above all clocks.
  ///
  /// One command replaces it, so that an error leaves the old one, whose floor the next birth must know.
  static let birth = Script(
    text: start + """
      if t[1] == o then return {now, tonumber(t[3]), tonumber(t[4]), 0} end
      local host, from = tonumber(ARGV[3]), 0
      if math.abs(now - host) > 5 then return redis.error_reply('MTCLOCK ' .. now) end
      if ARGV[5] == 'fresh' then
        if c('EXISTS', k) == 1 then return redis.error_reply('MTOLD has a tenure') end
      else
        from = math.max(now, host, tonumber(ARGV[4])) + F + 12
        from = math.max(from, tonumber(t[3]) or 0, (tonumber(t[4]) or -1) + 1)
      end
      c('HSET', k, 'owner', o, 'seat', ARGV[1], 'from', from, 'high', from - 1)
      return {now, from, from - 1, 1}

      """,
    name: "35e84578ca11a46aeeb1a7070883df81b62ea530")

  /// How both begin. Redis takes an error without a second word for one without a name, so each has two.
  private static let start = """
    local c, k, i = redis.call, KEYS[1], redis.call('INFO', 'replication')
    if not i:find('role:master', 1, true) then return redis.error_reply('MTROLE not a master') end
    local o, t = i:match('master_replid:(%x+)'), c('HMGET', k, 'owner', 'seat', 'from', 'high')
    if t[2] and t[2] ~= ARGV[1] then
      if t[2]:sub(1, 17) == ARGV[1]:sub(1, 17) then return redis.error_reply('MTSEAT another seat') end
      return redis.error_reply('MTFLEET another fleet')
    end
    local now, F = tonumber(c('TIME')[1]), tonumber(ARGV[2])

    """
}
