/// The locks of a document's two readers that are closed: tests open one to try the other.
package enum FieldLocks { case both, secondOnly }
