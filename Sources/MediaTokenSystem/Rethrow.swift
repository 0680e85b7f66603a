/// Returns the value of `body`, and throws its error as `translate` makes it: a module reports in its own errors what the
/// module below could not do.
///
/// It is inlined, and costs what `do` and `catch` cost. Where an error is handled and not passed on, or something must be
/// undone first, `do` and `catch` are clearer.
@inlinable
package func rethrow<Value: ~Copyable, Cause: Error, Meaning: Error>(
  _ body: @autoclosure () throws(Cause) -> Value, as translate: (Cause) -> Meaning
) throws(Meaning) -> Value {
  do throws(Cause) {
    return try body()
  } catch {
    throw translate(error)
  }
}
