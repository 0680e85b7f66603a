"""A server with the inspector's page whose answers are not the daemon's."""

import http.server
import threading

FILES = {"/": ("page.html", "text/html"), "/inspector.css": ("inspector.css", "text/css"), "/believing.js": ("believing.js", "text/javascript"),
         "/inspector.js": ("inspector.js", "text/javascript")}


class StandIn:
    """`answer` is the status, the media type and the body of the next explanation; None ends the connection without one, and "never" keeps
    it without one."""

    def __init__(self, folder, heads):
        self.answer = None
        self._is_over = threading.Event()
        #: The bodies that were asked.
        self.asked = []
        stand_in = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                name, kind = FILES.get(self.path, (None, None))
                if name is None:
                    return self.send_error(404)
                self.say(200, kind + "; charset=utf-8", (folder / name).read_bytes())

            def do_POST(self):
                stand_in.asked.append(self.rfile.read(int(self.headers["Content-Length"])))
                if stand_in.answer is None:
                    self.close_connection = True
                elif stand_in.answer == "never":
                    stand_in._is_over.wait()
                else:
                    self.say(*stand_in.answer)

            def say(self, status, kind, body):
                self.send_response(status)
                for name, text in [("Content-Type", kind), ("Content-Length", str(len(body))), *heads]:
                    self.send_header(name, text)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.origin = f"http://127.0.0.1:{self._server.server_port}"

    def close(self):
        self._is_over.set()
        self._server.shutdown()
        self._server.server_close()
