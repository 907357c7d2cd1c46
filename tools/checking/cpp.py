"""Just enough C++ for the checks: text without comments and literals, and where functions are."""

import dataclasses
import re

_TOKEN = re.compile(
    r'(?P<line>//(?:[^\n\\]|\\.)*)'
    r'|(?P<block>/\*.*?\*/)'
    r'|(?P<raw>\b(?:u8|[uUL])?R"(?P<delimiter>[^()\s\\]{0,16})\(.*?\)(?P=delimiter)")'
    r'|(?P<string>"(?:[^"\\\n]|\\.)*")'
    r"|(?P<digits>\b\d[\w']*)"
    r"|(?P<char>'(?:[^'\\\n]|\\.)*')",
    re.DOTALL)
_PREPROCESSOR = re.compile(r"^[ \t]*#(?:[^\n\\]|\\.)*", re.MULTILINE | re.DOTALL)


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def without_comments(text: str, *, literals: bool) -> str:
    """`text` with comments blanked, and string and character literals too unless `literals`.

    Lines and columns stay where they were.
    """
    def replace(match: re.Match) -> str:
        kind = match.lastgroup if match.lastgroup != "delimiter" else "raw"
        whole = match.group(0)
        if kind == "digits" or (literals and kind not in ("line", "block")):
            return whole
        if kind in ("line", "block"):
            return _blank(whole)
        return whole[0] + _blank(whole[1:-1]) + whole[-1]

    return _TOKEN.sub(replace, text)


def code_only(text: str) -> str:
    """`text` without comments, literals and preprocessor lines."""
    return _PREPROCESSOR.sub(lambda m: _blank(m.group(0)), without_comments(text, literals=False))


@dataclasses.dataclass
class Function:
    name: str
    first: int  # line of the start of its signature
    last: int
    parameters: int
    nesting: int  # of control blocks


_CONTROL = re.compile(r"(?:else|if|for|while|switch|do|try|catch)\b")
_SCOPE = re.compile(r"(?:inline\s+)?namespace\b|extern\s*\"")
_TYPE = re.compile(r"(?:enum|class|struct|union)\b")
_TEMPLATE = re.compile(r"(?:template|requires)\s*<")
_INIT_LIST = re.compile(r"\)\s*(?:noexcept(?:\([^)]*\))?)?\s*:(?!:)")


def _skip_angles(head: str, start: int) -> int:
    depth = 0
    for at in range(start, len(head)):
        if head[at] == "<":
            depth += 1
        elif head[at] == ">":
            depth -= 1
            if depth == 0:
                return at + 1
    return len(head)


def _strip_prefix(head: str) -> str:
    """Drops labels, attributes and template headers before a declaration."""
    while True:
        head = head.lstrip()
        label = re.match(r"(?:public|private|protected)\s*:(?!:)", head)
        attribute = re.match(r"\[\[.*?\]\]|__attribute__\s*\(\(.*?\)\)(?=\s)", head, re.DOTALL)
        template = _TEMPLATE.match(head)
        if label or attribute:
            head = head[(label or attribute).end():]
        elif template:
            head = head[_skip_angles(head, template.end() - 1):]
        else:
            return head


def _parenthesis(head: str) -> tuple[int, int]:
    """Start and end of the parameter list: the first group at depth 0 outside of <>."""
    head = re.sub(r"\boperator\s*(?:<=>|<<=?|>>=?|->\*?|[<>]=?)(?=\s*\()",
                  lambda match: "operator".ljust(len(match.group(0)), "_"), head)
    angle = 0
    start = -1
    depth = 0
    for at, char in enumerate(head):
        if depth == 0 and char == "<":
            angle += 1
        elif depth == 0 and char == ">" and angle > 0 and head[at - 1] != "-":
            angle -= 1
        elif char == "(" and (angle == 0 or depth > 0):
            if depth == 0:
                start = at
            depth += 1
        elif char == ")" and depth > 0:
            depth -= 1
            if depth == 0:
                if head[:start].rstrip().endswith("operator"):  # operator()(...)
                    continue
                return start, at
    return -1, -1


def _count_parameters(head: str) -> int:
    """Parameters of a definition, without a last `done`."""
    start, end = _parenthesis(head)
    inside = head[start + 1:end].strip() if start >= 0 else ""
    if not inside or inside == "void":
        return 0
    depth = 0
    # A last parameter `done` is where an asynchronous function returns to, and no input.
    count = 0 if re.search(r",[^,]*\bdone$", inside) else 1
    for char in inside.replace("->", "  "):
        if char in "(<[{":
            depth += 1
        elif char in ")>]}":
            depth -= 1
        elif char == "," and depth == 0:
            count += 1
    return count


def _function_name(head: str) -> str:
    start, end = _parenthesis(head)
    before = head[:start].rstrip() if start >= 0 else head
    match = re.search(r"([\w:~]+|operator\s*\S+)$", before)
    name = match.group(1) if match else "lambda"
    if name in ("TEST", "TEST_F", "TEST_P", "TYPED_TEST", "TYPED_TEST_P"):
        return f"{name}({' '.join(head[start + 1:end].split())})"
    return name


def _kind(head: str) -> str:
    """What a `{` after `head`, outside of functions, opens."""
    head = _strip_prefix(head)
    if _SCOPE.match(head):
        return "scope"
    if head.startswith("extern") and "(" not in head:
        return "scope"
    start, _ = _parenthesis(head)
    assignment = re.search(r"(?<![=!<>+\-*/&|^])=(?!=)", head[:start] if start >= 0 else head)
    if _TYPE.match(head) and start < 0:
        return "scope"
    if _TYPE.match(head) and re.match(r"(?:class|struct|union)\s+(?:alignas\s*\([^)]*\)|\w+\s*\([^)]*\))",
                                      head):
        return "scope"
    lambda_body = bool(re.search(r"\[[^\]]*\]\s*(?:\(.*\))?[^()\[\]]*$", head, re.DOTALL))
    if assignment and "operator" not in head:
        return "function" if lambda_body and head.rstrip().endswith(")") else "data"
    if start < 0:
        return "data"
    if _INIT_LIST.search(head) and re.search(r"[\w>]$", head.rstrip()):
        return "data"  # a member initialiser in braces
    return "function"


def functions(text: str) -> list[Function]:
    """Every function definition, outermost only; lambdas belong to the function around them."""
    code = code_only(text)
    found: list[Function] = []
    stack: list[tuple[str, int]] = []  # (kind, start of head)
    head_start = 0
    parens = 0
    function: tuple[int, str, int] | None = None  # (depth of stack, head, start)
    control = 0
    deepest = 0
    for at, char in enumerate(code):
        if char == "(":
            parens += 1
        elif char == ")":
            parens = max(0, parens - 1)
        elif char == ";" and (parens == 0 or function):
            if parens == 0:
                head_start = at + 1
        elif char == "{":
            head = code[head_start:at]
            if function:
                kind = "control" if parens == 0 and _opens_control(head) else "block"
                if kind == "control":
                    control += 1
                    deepest = max(deepest, control)
            elif any(entry[0] == "data" for entry in stack):
                kind = "data"
            else:
                kind = _kind(head)
                if kind == "function":
                    function = (len(stack), head, head_start + len(head) - len(head.lstrip()))
                    control = deepest = 0
            stack.append((kind, head_start, parens))
            parens = 0
            if kind != "data":
                head_start = at + 1
        elif char == "}":
            if not stack:
                continue
            kind, start, parens = stack.pop()
            if kind == "control":
                control -= 1
            if function and len(stack) == function[0]:
                _, head, start = function
                found.append(Function(
                    name=_function_name(_strip_prefix(head)),
                    first=code.count("\n", 0, start) + 1,
                    last=code.count("\n", 0, at) + 1,
                    parameters=_count_parameters(_strip_prefix(head)),
                    nesting=deepest))
                function = None
            if kind != "data":
                head_start = at + 1
            else:
                head_start = start  # the head goes on: `a_{1}, b_{2} {`
    return found


def _opens_control(head: str) -> bool:
    """Whether `head`, inside a function, is the start of an if, a loop, a switch or a try."""
    head = head.strip()
    while True:
        label = re.match(r"(?:case\b[^:]*(?:::[^:]*)*:(?!:)|default\s*:|\[\[.*?\]\])", head)
        if not label:
            return bool(_CONTROL.match(head) and re.search(r"(?:\)|\belse|\bdo|\btry)$", head))
        head = head[label.end():].lstrip()
