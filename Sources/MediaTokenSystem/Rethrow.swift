/// The value of `body`; its error is thrown as the one that `translate` makes of it: how a module says in its own errors
/// what the module below could not do.
///
/// It is inlined, and costs what `do` and `catch` cost. Where an error is answered and not passed on, or something must be
/// undone first, `do` and `catch` say so better.
@inlinable @inline(__always)
package func rethrow<Value: ~Copyable, Cause: Error, Meaning: Error>(
  _ body: @autoclosure () throws(Cause) -> Value, as translate: (Cause) -> Meaning
) throws(Meaning) -> Value {
  do throws(Cause) {
    return try body()
  } catch {
    throw translate(error)
  }
}
