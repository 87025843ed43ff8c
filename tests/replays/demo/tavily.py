#!/usr/bin/env python3
"""Stands in for Tavily's HTTP API while the demo is recorded on a machine without the internet.

    python3 tavily.py PORT

Answers POST /search and /extract in the shapes of the real service. Standard library only.
"""
import json, sys
from http.server import BaseHTTPRequestHandler, HTTPServer

PAGES = [
    {
        "title": "《奥本海默》定档8月30日内地上映",
        "url": "https://example.org/film/oppenheimer-release",
        "content": "克里斯托弗·诺兰执导的《奥本海默》宣布内地定档2023年8月30日。影片北美于2023年7月21日上映，全片使用IMAX 65毫米与65毫米胶片拍摄，片长180分钟。",
        "score": 0.94,
    },
    {
        "title": "奥本海默 (电影) - 资料",
        "url": "https://example.org/wiki/oppenheimer",
        "content": "上映日期：2023年7月11日（巴黎首映），2023年7月21日（美国、英国），2023年8月30日（中国大陆）。片长180分钟。",
        "score": 0.91,
    },
]


class Handler(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"{}")
        if not self.headers.get("Authorization", "").startswith("Bearer "):
            return self.send(401, {"detail": {"error": "Unauthorized: missing or invalid API key."}})
        if self.path == "/search":
            wants = body.get("include_answer")
            answer = "《奥本海默》于2023年8月30日在中国内地上映。" if wants else None
            results = [dict(page, raw_content=None) for page in PAGES][: body.get("max_results") or 5]
            return self.send(200, {"query": body.get("query"), "answer": answer, "images": [], "results": results, "response_time": 0.8})
        if self.path == "/extract":
            urls = body.get("urls") or []
            results = [{"url": page["url"], "raw_content": page["content"]} for page in PAGES if page["url"] in urls]
            return self.send(200, {"results": results, "failed_results": [], "response_time": 0.2})
        self.send(404, {"detail": "Not Found"})

    def send(self, status, value):
        data = json.dumps(value, ensure_ascii=False).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


HTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
