/** Keywords of Python, which no identifier can be. */
export const PYTHON_KEYWORDS: ReadonlySet<string> = new Set([
  ...'False None True and as assert async await break class continue def del elif else except finally for from'.split(
    ' ',
  ),
  ...'global if import in is lambda nonlocal not or pass raise return try while with yield'.split(' '),
])

/** Names that annotations of a printed module use, so that a class or a member with such a name would replace them. */
export const USED_NAMES: ReadonlySet<string> = new Set('svc enum list str int float bool Annotated'.split(' '))

/** Built-in names of Python. In an annotation, they come before names of types that another module declares. */
export const BUILTIN_NAMES: ReadonlySet<string> = new Set([
  ...'ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError'.split(' '),
  ...'BrokenPipeError BufferError BytesWarning ChildProcessError ConnectionAbortedError ConnectionError'.split(' '),
  ...'ConnectionRefusedError ConnectionResetError DeprecationWarning EOFError Ellipsis EncodingWarning'.split(' '),
  ...'EnvironmentError Exception ExceptionGroup FileExistsError FileNotFoundError FloatingPointError'.split(' '),
  ...'FutureWarning GeneratorExit IOError ImportError ImportWarning IndentationError IndexError'.split(' '),
  ...'InterruptedError IsADirectoryError KeyError KeyboardInterrupt LookupError MemoryError'.split(' '),
  ...'ModuleNotFoundError NameError NotADirectoryError NotImplemented NotImplementedError OSError'.split(' '),
  ...'OverflowError PendingDeprecationWarning PermissionError ProcessLookupError PythonFinalizationError'.split(' '),
  ...'RecursionError ReferenceError ResourceWarning RuntimeError RuntimeWarning StopAsyncIteration'.split(' '),
  ...'StopIteration SyntaxError SyntaxWarning SystemError SystemExit TabError TimeoutError TypeError'.split(' '),
  ...'UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError UnicodeTranslateError'.split(' '),
  ...'UnicodeWarning UserWarning ValueError Warning ZeroDivisionError WindowsError abs aiter all anext any'.split(' '),
  ...'ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex copyright credits'.split(' '),
  ...'delattr dict dir divmod enumerate eval exec exit filter float format frozenset getattr globals hasattr'.split(
    ' ',
  ),
  ...'hash help hex id input int isinstance issubclass iter len license list locals map max memoryview min'.split(' '),
  ...'next object oct open ord pow print property quit range repr reversed round set setattr slice sorted'.split(' '),
  ...'staticmethod str sum super tuple type vars zip'.split(' '),
])

/** Names that a printed class of the schema cannot have. */
export const TAKEN_PYTHON_NAMES: ReadonlySet<string> = new Set([
  ...PYTHON_KEYWORDS,
  ...USED_NAMES,
  'annotations',
  'TYPE_CHECKING',
  'schema_parts',
])
