package mediatoken;

import java.util.List;
import java.util.Set;

/** What an answer means (clients/README.md, "How an answer is read"). What is not so is a {@link ForeignAnswer}. */
final class Meaning {
  private static final int OK = 200;
  private static final int REFUSED = 403;
  private static final int FAULT = 503;

  private Meaning() {}

  /** The valid token. {@code requestID} is the one that was sent; null: the daemon chose one. */
  static ValidToken token(Answer answer, Asked asked, String requestID) throws NotValid {
    Members members = members(answer);
    String kind = kind(members);
    if (kind.equals("error")) throw error(answer, members, asked.isDecision());
    String named = members.requestID();
    expect(requestID == null || requestID.equals(named), "another request id; is the header the daemon's requestIDHeader?");
    if (kind.equals("fault")) throw fault(answer, members, named);
    String identity = identity(members, asked.identities());
    if (!members.says("verdict", "VALID_TOKEN")) {
      expect(answer.status() == REFUSED, "a verdict that its status contradicts");
      members.integer("number", 1, 63);
      throw refused(members, identity, named);
    }
    expect(answer.status() == OK, "a verdict that its status contradicts");
    members.integer("number", 0, 0);
    ValidToken token = new ValidToken(members, identity, use(members, identity), named);
    expect(asked.requestor() == null || asked.requestor().equals(token.requestorID()), "a valid token for another requestor");
    expect(asked.resource() == null || asked.resource().equals(token.resourceID()), "a valid token for another resource");
    return token;
  }

  /** Returns if the daemon is ready. */
  static void readiness(Answer answer) throws NotReady, NotValid {
    Members members = members(answer);
    if (!members.has("status")) {
      expect(kind(members).equals("error"), "no status");
      throw error(answer, members, false);
    }
    expect(!members.has("verdict") && !members.has("fault") && !members.has("error"), "two outcomes");
    if (members.says("status", "not-ready")) {
      expect(answer.status() == FAULT, "a status that the member contradicts");
      throw new NotReady(members.word("reason"), members.text("detail"), members.text("cure"), answer.retryAfter());
    }
    expect(members.says("status", "ready") && answer.status() == OK, "no status");
  }

  private static Members members(Answer answer) throws ForeignAnswer {
    expect(answer.isOfType("application/json"), "another content type");
    return Members.of(answer.body());
  }

  private static String kind(Members members) throws ForeignAnswer {
    String found = null;
    for (String kind : List.of("verdict", "fault", "error")) {
      if (!members.has(kind)) continue;
      expect(found == null, "two outcomes");
      found = kind;
    }
    expect(found != null, "neither a verdict nor a fault nor an error");
    return found;
  }

  /** Null of what is no token. */
  private static String identity(Members members, Set<String> expected) throws ForeignAnswer {
    if (!members.has("identity")) return null;
    String identity = members.digest("identity");
    expect(expected.contains(identity), "about a different token from the one that was sent");
    return identity;
  }

  /** The use of a valid token. */
  private static Use use(Members members, String identity) throws ForeignAnswer {
    expect(identity != null, "a valid token without a name");
    boolean agrees = members.says("action", "none") && members.says("adobeCode", "VALID_TOKEN");
    expect(agrees, "a verdict that its action contradicts");
    return Use.named(members.text("use")).orElseThrow(() -> new ForeignAnswer("an unknown use"));
  }

  private static Refused refused(Members members, String identity, String requestID) throws ForeignAnswer {
    String code = members.name("adobeCode");
    expect(!code.equals("VALID_TOKEN"), "a verdict that its code contradicts");
    return Refused.token(
        members.name("verdict"), members.word("reason"), members.text("detail"), action(members), code, identity, requestID);
  }

  private static Fault fault(Answer answer, Members members, String requestID) throws ForeignAnswer {
    expect(answer.status() == FAULT, "a fault that its status contradicts");
    members.integer("number", 64, 127);
    String name = members.name("fault");
    return new Fault(name, name, FAULT, "", action(members), answer.retryAfter(), requestID);
  }

  private static NotValid error(Answer answer, Members members, boolean isDecision) throws ForeignAnswer {
    String name = members.word("error");
    String detail = members.text("detail");
    int status = answer.status();
    expect(status >= 400 && status <= 599, "an error that its status contradicts");
    String action = members.has("action") ? action(members) : "report";
    if (name.equals("no-token-in-decision")) {
      expect(isDecision && status == REFUSED, "about a decision that was not sent");
      return Refused.decision(name, detail, action, members.textIfAny("decisionError"));
    }
    return new Fault(name + " (" + status + ")", name, status, detail, action, answer.retryAfter(), null);
  }

  /** Of anything that is not valid. */
  private static String action(Members members) throws ForeignAnswer {
    String action = members.word("action");
    expect(!action.equals("none"), "an outcome that its action contradicts");
    return action;
  }

  private static void expect(boolean holds, String otherwise) throws ForeignAnswer {
    if (!holds) throw new ForeignAnswer(otherwise);
  }
}
