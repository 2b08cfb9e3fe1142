/** An option that only Python has, or whose type differs. */
export interface OwnOption {
  readonly name: string
  readonly type: string
  readonly doc: string
}

/** A function of the Python package that takes options. */
export interface Declaration {
  readonly name: string
  /** Tables of `OPTION_TABLES` with its options, in this order. */
  readonly tables: readonly string[]
  /** `class`, `function`: a decorator of one, also without parentheses; `options`: only with options. */
  readonly on: 'class' | 'function' | 'options'
  /** What it returns with options. */
  readonly returns: string
  /** Expression of Python that runs it: receives `given` and `options`. */
  readonly runs: string
  readonly summary: string
  readonly example: readonly string[]
  /** Positional parameters before the options. */
  readonly positional?: string
  readonly own?: readonly OwnOption[]
  readonly required?: readonly string[]
}

const OPERATION_NAME: OwnOption = {
  name: 'name',
  type: 'str',
  doc: 'Name in the schema. Default: the name of the function.',
}
const MEMBER_NAME: OwnOption = {
  name: 'name',
  type: 'str',
  doc: 'Name in the schema, if it is a keyword of Python: `from`. Default: the declared name.',
}
const MODULE: readonly OwnOption[] = [
  {
    name: 'module',
    type: 'str',
    doc: 'JavaScript module with `serialize`, `parse` and `parseLiteral`; a path relative to svc.toml.',
  },
  { name: 'export', type: 'str', doc: 'Name of the export of the module. Default: the name of the scalar.' },
]
const OF_CLASS = 'Callable[[C], C]'
const OF_FUNCTION = 'Callable[[F], F]'

/** Every function of the Python package that takes options of the schema language. */
export const DECLARATIONS: readonly Declaration[] = [
  {
    name: 'type',
    tables: ['type'],
    on: 'class',
    returns: OF_CLASS,
    runs: 'declare_class(TYPE, given, options)',
    summary: 'Declares an object type. Its fields are the annotations of the class, its description the docstring.',
    example: ['@svc.type(relay=True, sql_source="v_user")', 'class User:', '    id: svc.ID', '    name: str'],
  },
  {
    name: 'interface',
    tables: ['interface'],
    on: 'class',
    returns: OF_CLASS,
    runs: 'declare_class(INTERFACE, given, options)',
    summary:
      'Declares an interface. A type names it in `implements` and has its fields: by inheritance, or written again.',
    example: ['@svc.interface(sql_source="v_person")', 'class Person:', '    name: str'],
  },
  {
    name: 'input',
    tables: ['input'],
    on: 'class',
    returns: OF_CLASS,
    runs: 'declare_class(INPUT, given, options)',
    summary: 'Declares an input type, for arguments of mutations.',
    example: ['@svc.input', 'class CreateUser:', '    name: Annotated[str, svc.validate(min_length=1)]'],
  },
  {
    name: 'error',
    tables: ['error'],
    on: 'class',
    returns: OF_CLASS,
    runs: 'declare_class(ERROR, given, options)',
    summary: 'Declares a type for failures of mutations, as member of a union that the mutation returns.',
    example: ['@svc.error', 'class OutOfStock:', '    message: str', '    left: int'],
  },
  {
    name: 'enum',
    tables: ['enum'],
    on: 'class',
    returns: OF_CLASS,
    runs: 'declare_class(ENUM, given, options)',
    summary:
      'Declares an enum: a class with texts, or a subclass of `enum.Enum`. The name is the value in GraphQL, the text that in SQL.',
    example: [
      '@svc.enum',
      'class Status:',
      '    DRAFT = "draft"',
      '    DONE = svc.enum_value("done", deprecated="Use DRAFT")',
    ],
  },
  {
    name: 'union',
    tables: ['union'],
    on: 'options',
    returns: OF_CLASS,
    runs: 'declare_class(UNION, given, options)',
    summary: 'Declares a union. The class has no content.',
    example: ['@svc.union(members=[Artist, Album], sql_source="v_search")', 'class SearchResult: ...'],
    own: [
      {
        name: 'members',
        type: 'Sequence[Named] | Callable[[], Sequence[Named]]',
        doc: 'The members: classes, or names of types that are declared further down.',
      },
    ],
    required: ['members'],
  },
  {
    name: 'scalar',
    tables: ['scalar'],
    on: 'class',
    returns: OF_CLASS,
    runs: 'declare_class(SCALAR, given, options)',
    summary:
      'Declares a custom scalar. Its functions run in the server, so they are those of a JavaScript module that `module` names.',
    example: ['@svc.scalar(base_type=svc.Decimal, module="./scalars.mjs")', 'class Money: ...'],
    own: MODULE,
  },
  {
    name: 'query',
    tables: ['query'],
    on: 'function',
    returns: OF_FUNCTION,
    runs: 'declare_operation(QUERY, given, options)',
    summary:
      'Declares a query. Its arguments are the parameters of the function, its result is what the function returns, its ' +
      'description the docstring. The function is never called.',
    example: ['@svc.query(sql_source="v_user")', 'def users(country: str | None = None) -> list[User]: ...'],
    own: [OPERATION_NAME],
  },
  {
    name: 'mutation',
    tables: ['mutation'],
    on: 'function',
    returns: OF_FUNCTION,
    runs: 'declare_operation(MUTATION, given, options)',
    summary: 'Declares a mutation, which calls a function of the database. The Python function is never called.',
    example: [
      '@svc.mutation(sql_source="fn_create_user", operation="CREATE")',
      'def create_user(input: CreateUser) -> User: ...',
    ],
    own: [OPERATION_NAME],
  },
  {
    name: 'subscription',
    tables: ['subscription'],
    on: 'function',
    returns: OF_FUNCTION,
    runs: 'declare_operation(SUBSCRIPTION, given, options)',
    summary: "Declares a subscription. Each argument is a condition: it has to equal the entity's field of its name.",
    example: [
      '@svc.subscription(operation="UPDATE", filter="status == \'shipped\'")',
      'def order_shipped(id: svc.ID | None = None) -> Order: ...',
    ],
    own: [OPERATION_NAME],
  },
  {
    name: 'arrow_query',
    tables: ['arrow_query'],
    on: 'function',
    returns: OF_FUNCTION,
    runs: 'declare_operation(ARROW_QUERY, given, options)',
    summary: 'Declares a columnar query, which only the Arrow transport serves.',
    example: ['@svc.arrow_query(sql_source="va_sale")', 'def sales() -> list[Sale]: ...'],
    own: [OPERATION_NAME],
  },
  {
    name: 'observer',
    tables: ['observer'],
    on: 'options',
    returns: OF_FUNCTION,
    runs: 'declare_observer(given, options)',
    summary: 'Declares actions after the commit of a change. The function is never called.',
    example: [
      '@svc.observer(entity=Order, event="INSERT", actions=[svc.webhook("https://example.com/orders/{id}")])',
      'def order_placed() -> None: ...',
    ],
    own: [{ name: 'name', type: 'str', doc: 'Name of the observer. Default: the name of the function.' }],
    required: ['entity', 'event', 'actions'],
  },
  {
    name: 'hierarchy',
    tables: ['hierarchy'],
    on: 'options',
    returns: 'None',
    runs: 'declare_hierarchy(given, options)',
    summary: 'Declares a type whose rows form a tree by their paths. Fields of `svc.LTree` name it in `hierarchy`.',
    example: ['svc.hierarchy("categories", type=Category)'],
    positional: 'name: str',
    own: [{ name: 'type', type: 'Named', doc: 'The type whose rows have paths: its class or its name.' }],
    required: ['type'],
  },
  {
    name: 'field',
    tables: ['field', 'input_field'],
    on: 'options',
    returns: 'FieldOptions',
    runs: 'make_options(FieldOptions, "field", given, options)',
    summary: 'Options of a field of a type, an interface or an input, in `Annotated`.',
    example: ['email: Annotated[svc.Email, svc.field(requires_scope="read:email")]'],
    own: [MEMBER_NAME],
  },
  {
    name: 'argument',
    tables: ['argument'],
    on: 'options',
    returns: 'ArgumentOptions',
    runs: 'make_options(ArgumentOptions, "argument", given, options)',
    summary: 'Options of an argument of a query, a mutation or a subscription, in `Annotated`.',
    example: ['def posts(words: Annotated[str | None, svc.argument(full_text="search")] = None) -> list[Post]: ...'],
    own: [MEMBER_NAME],
  },
  {
    name: 'enum_value',
    tables: ['enum_value'],
    on: 'options',
    returns: 'Any',
    runs: 'make_enum_value(given, options)',
    summary: 'A value of an enum with options.',
    example: ['DONE = svc.enum_value("done", deprecated="Use DRAFT")'],
    positional: 'value: str | None = None',
  },
]
