// What this package calls the types whose public names are nested, or longer, so that they don't collide in an application.

package typealias Verdict = TokenVerdict
package typealias Action = TokenVerdict.Action
package typealias Answer = TokenVerdict.Answer
package typealias Fault = Refusal.Fault
package typealias Reason = Refusal.Reason
package typealias Finding = Refusal.Finding
package typealias Rejection = Refusal.Rejection
package typealias Instant = UnixTime
package typealias Policy = TokenPolicy
