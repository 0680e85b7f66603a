/** Asks mediatokend whether an Adobe Pass short media token may play; the package {@link mediatoken} is all there is. */
module mediatoken {
  exports mediatoken;
}
