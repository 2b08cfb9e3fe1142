import type { OptionForm } from '../../core/authoring/options.ts'
import { code, GENERATED, type Page, toTable } from '../docs/page.ts'
import { DECLARATIONS, type Declaration } from './declarations.ts'
import { optionsOf, VALIDATE } from './decorators-file.ts'
import { pythonText } from './python-text.ts'

const INTRO = `The package [svc-server-authoring](../../python/README.md) declares a schema in Python. Its module is \`svc\`. A schema in
Python and its twin in TypeScript give the same \`schema.json\`, byte for byte, and so the same compiled schema. [Options](options.md)
shows each option in both languages, with a sample. This page lists the decorators and functions with their options.

    from __future__ import annotations

    import svc

    @svc.type(relay=True, sql_source="v_user")
    class User:
        """A person with an account."""
        id: svc.ID
        email: Annotated[svc.Email | None, svc.field(requires_scope="read:email")]
        posts: list[Post]

    @svc.query(sql_source="v_user")
    def users(country: str | None = None) -> list[User]: ...

    svc.export()

\`python schema.py\` writes \`schema.json\`; the [package's README](../../python/README.md#how-to-run-a-schema-module) describes how tools
run a module. An unknown option or a wrong value is an error of the type checker, and of \`svc.export()\`, which reports all errors at
once with file, line, the nearest name and the valid names.

## Types

| Python | GraphQL |
| --- | --- |
| \`str\` \`int\` \`float\` \`bool\` | \`String!\` \`Int!\` \`Float!\` \`Boolean!\` |
| \`datetime.datetime\` \`datetime.date\` \`datetime.time\` | \`DateTime!\` \`Date!\` \`Time!\` |
| \`uuid.UUID\` \`decimal.Decimal\` | \`UUID!\` \`Decimal!\` |
| \`svc.ID\`, \`svc.JSON\`, \`svc.Email\` and every other [scalar](scalars.md) | \`ID!\`, \`JSON!\`, \`Email!\` |
| \`T \\| None\`, \`Optional[T]\` | \`T\` |
| \`list[T]\` | \`[T!]!\` |
| \`list[T \\| None] \\| None\` | \`[T]\` |
| \`Annotated[T, svc.field(…), svc.validate(…)]\` | \`T!\`, with options |
| \`"Post"\`, \`list["Post"]\` | \`Post!\`, \`[Post!]!\`, for a type that is declared further down |

- With \`from __future__ import annotations\`, and in Python 3.14, types that are declared further down need no quotes.
- Generic classes, unions without a name, \`dict\`, \`tuple\` and \`Literal\` are errors that name what to write instead.
- A class inherits the fields of its base classes, which need no decorator. \`ClassVar\`, methods and properties are no fields.
- The docstring is the description of a type or an operation. A text below a field or a value of an enum is its description.
- \`name: T = value\` is the default. \`= None\` on a type that may be null lets clients leave it out, and declares no default;
  \`svc.field(default=None)\` declares the default null. A member of an enum stands for its name.
- Names are as declared, in snake_case or camelCase; the API uses camelCase. \`name\` names what is a keyword of Python.

For mypy, add \`# mypy: disable-error-code="empty-body"\` to a schema module: the functions of operations have no body.
`

const FUNCTIONS = `## Functions of the server

Middleware, hooks, validators and the functions of custom scalars run in the server, and the server runs JavaScript. A Python function
is an error where it is declared. Write the function in a JavaScript or TypeScript module, and name its path relative to svc.toml:

    svc.middleware("./functions.mjs", export="tenant")
    svc.before_mutation("createUser", module="./functions.mjs", export="quota")
    svc.after_mutation("createUser", module="./functions.mjs", export="audit")
    svc.author_function("validator", "even", module="./functions.mjs")

    @svc.scalar(base_type=svc.Int, module="./functions.mjs", export="Cents")
    class Cents: ...

\`functions.mjs\` exports plain functions, and an object with \`serialize\`, \`parse\` and \`parseLiteral\` for a scalar. For their
arguments, see [middleware](../plugins/middleware.md), [scalars](scalars.md#custom-scalars) and
[validate input](../guides/validate-input.md).
`

const REST = `## Further functions

| Function | What it does |
| --- | --- |
| \`@svc.authenticated\`, \`@svc.api_key_required\`, \`@svc.requires_scope("a", "b")\`, \`@svc.role("a", "b")\` | access, above or below the decorator of an operation; the last two also in the \`Annotated\` of a field |
| \`svc.webhook(url, url_env=…, method=…, headers=…, body_template=…, secret_env=…)\` | action of an observer: calls a URL |
| \`svc.chat(channel, message, url=…, url_env=…)\` | action of an observer: sends a message to a chat |
| \`svc.email(to, subject, body, from_=…)\` | action of an observer: sends an e-mail |
| \`svc.schema_keys({…})\` | adds keys to the top level of schema.json: \`query_defaults\`, keys of plugins |
| \`svc.export()\` | writes schema.json, if its module is the program |
| \`svc.schema_json()\`, \`svc.collect()\` | return the schema as text, as data. They raise \`svc.SchemaError\` with all \`faults\` |
| \`svc.fresh_registry()\` | a context in which declarations are collected apart, for tests |
`

/** docs/reference/python.md: the decorators and functions of the Python package, with their options. */
export function renderPythonPage(): Page {
  const records = new Map<string, OptionForm>()
  const sections = DECLARATIONS.map((one) => renderSection(one, records))
  const rules = VALIDATE.map(([name, type, doc]) => [code(name), code(type), pythonText(doc)])
  const validate = [
    '## validate\n',
    'Rules that a value of a client must pass: in `Annotated`, and in the option `validate`. `svc.validate("required")` is a rule, too.\n',
    `${toTable(['Rule', 'Type', 'Meaning'], rules)}\n`,
  ]
  const retry = { ...DECLARATIONS[0]!, name: 'RetryConfig', tables: ['retry'], on: 'options' as const, own: [] }
  const content = [
    `# Python\n\n${GENERATED}\n`,
    INTRO,
    ...sections,
    renderSection(
      { ...retry, summary: 'Attempts of an observer.', example: ['retry=svc.RetryConfig(max_attempts=5)'] },
      records,
    ),
    ...validate,
    FUNCTIONS,
    REST,
  ].join('\n')
  return { path: 'docs/reference/python.md', content }
}

function renderSection(declaration: Declaration, records: Map<string, OptionForm>): string {
  const { name, summary, example } = declaration
  const rows = optionsOf(declaration, records).map(({ name, type, doc }) => [code(name), code(type), doc])
  const sample = example.map((line) => `    ${line}`).join('\n')
  return `## ${name}\n\n${summary}\n\n${sample}\n\n${toTable(['Option', 'Type', 'Meaning'], rows)}\n`
}
