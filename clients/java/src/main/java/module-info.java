/** Asks mediatokend whether an Adobe Pass short media token may play. */
module mediatoken {
  exports mediatoken;
}
