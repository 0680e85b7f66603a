package mediatoken;

/** A class of someone else's that says it is of the kit's package, in which valid tokens could be made. */
public final class Forger {
  private Forger() {}

  public static void main(String[] arguments) {
    System.out.println(new ForeignAnswer("forged"));
  }
}
