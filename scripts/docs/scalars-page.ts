import { OPERATORS as POSTGRES } from '../../core/dialects/postgres/primitives/operators.ts'
import { OPERAND_INPUTS } from '../../core/schema/operators/operand-inputs.ts'
import { operatorsOfGroup, SPECIAL_OPERATORS } from '../../core/schema/operators/operators.ts'
import { BUILTIN_SCALARS, type BuiltinScalar, SEMANTIC_SCALARS } from '../../core/schema/scalars.ts'
import { printTypeRef } from '../../core/schema/type-ref.ts'
import { OPERATORS as SQLITE } from '../../plugins/sqlite/dialect/operators.ts'
import { code, GENERATED, type Page, toTable } from './page.ts'

const WIRE = { string: 'text', number: 'number', boolean: '`true`, `false`', json: 'any JSON' } as const
const HOLDING: Readonly<Record<string, string>> = { String: 'texts', JSON: 'JSON' }
const ORDER = new Set(['_gt', '_gte', '_lt', '_lte'])

const names = (list: readonly string[]): string => list.map(code).join(' ')

function linked({ name, specifiedByUrl }: BuiltinScalar): string {
  return specifiedByUrl === undefined ? code(name) : `[${code(name)}](${specifiedByUrl})`
}

function baseOperators(scalar: BuiltinScalar): readonly string[] {
  const all = operatorsOfGroup(scalar.group).map(({ name }) => name)
  return scalar.semantic?.unordered === true ? all.filter((name) => !ORDER.has(name)) : all
}

/** Scalars with the same base set, described once. */
function operatorSets(): string {
  const sets = new Map<string, string[]>()
  for (const scalar of [...BUILTIN_SCALARS.values(), ...SEMANTIC_SCALARS.values()]) {
    const set = names(baseOperators(scalar))
    sets.set(set, [...(sets.get(set) ?? []), scalar.name])
  }
  return toTable(
    ['Scalars', 'Operators'],
    [...sets].map(([set, scalars]) => [names(scalars), set]),
  )
}

function specialRows(): readonly (readonly string[])[] {
  return SPECIAL_OPERATORS.map(({ id, name, scalars, operand, input, columns, extension, description }) => [
    scalars.map(code).join(' '),
    code(name),
    code(
      input?.name ??
        {
          field: 'same',
          list: '[same]',
          boolean: 'Boolean',
          int: 'Int',
          string: 'String',
          strings: '[String!]',
          json: 'JSON',
          place: 'GeoJSON',
          object: '',
          key: 'ID',
        }[operand],
    ),
    columns.length === 0
      ? description
      : `${description} Only on columns of type ${names(columns)}${extension === null ? '' : `, with the extension ${code(extension)}`}.`,
    [POSTGRES.has(id) ? 'PostgreSQL, PGlite' : '', SQLITE.has(id) ? 'SQLite' : '']
      .filter((each) => each !== '')
      .join(', '),
  ])
}

/** `docs/reference/scalars.md`, from the tables that the service uses. */
export function renderScalarsPage(): Page {
  const inputs = [...OPERAND_INPUTS.values()].map((input) => [
    code(input.name),
    [...input.fields().values()].map(({ name, type }) => code(`${name}: ${printTypeRef(type)}`)).join(', '),
    input.description ?? '',
  ])
  const content = `${GENERATED}

# Scalars

svc checks client values before any SQL. An invalid value is \`BAD_USER_INPUT\` with its location and the expected form; an invalid literal
in the document is \`GRAPHQL_VALIDATION_FAILED\`. A schema contains only the scalars that it uses.

## Built-in scalars

${toTable(
  ['Scalar', 'On the wire', 'Key of a document is read as', 'Meaning'],
  [...BUILTIN_SCALARS.values()].map((scalar) => [
    linked(scalar),
    WIRE[scalar.wire],
    code(scalar.documentCast ?? 'text'),
    scalar.description,
  ]),
)}

A field of type \`String\` or \`ID\` may have a column of any type that the database sends as text: \`uuid\`, an enum, \`citext\`,
\`inet\`, \`xml\`, \`date\`, \`interval\`, a range, \`bytea\` and so on. It shows the text of the database (points in time in ISO 8601, bytes as
\`\\xdeadbeef\`), and text operators use that text. Comparisons and the order are those of the column's type, or those of the text if the
type has none (\`xml\`, \`point\`, composites). A \`String\` of a number, a boolean or JSON does not compile: declare its type, or cast the column in the view.

## Semantic scalars

Each is a built-in scalar with a rule: its JSON form, casts and result are those of its base. svc does not check stored values
when it reads them. In \`schema.json\` they are named like the built-in scalars; in TypeScript they are imported from \`svc/authoring\`:

    import { type, field, Email, IBAN, Latitude } from 'svc/authoring'

    @type()
    export class Customer {
      @field(Email) email!: string
      @field(IBAN, { filterOperators: ['_eq', '_country_eq'] }) iban!: string
      @field(Latitude) latitude!: number
    }

A type, enum, input or scalar of the schema with one of these names takes precedence.

${toTable(
  ['Scalar', 'Base', 'Columns', 'Rule', 'Example'],
  [...SEMANTIC_SCALARS.values()].map((scalar) => [
    linked(scalar),
    code(scalar.semantic!.base),
    [HOLDING[scalar.semantic!.base] ?? 'numbers', ...scalar.semantic!.columns.map(code)].join(', '),
    scalar.description,
    scalar.semantic!.example.split(' or ').map(code).join(' or '),
  ]),
)}

## Custom scalars

\`custom_scalars\` of \`schema.json\`, or \`scalar()\` in TypeScript. \`base_type\` is any scalar of this page; it defines the JSON form, the column types,
the equality operators, and the special operators of a semantic scalar.

| Function | Input | Result |
| --- | --- | --- |
| \`parse\` (\`parse_value\`) | the value of a variable, or of a literal | a value of the base, which is then checked as such |
| \`parse_literal\` | the syntax tree of a literal; without it \`parse\` gets its value | the same |
| \`serialize\` | the stored value, in the JSON form of the base | the value for the client |

They are synchronous: a promise is an error. An exception in \`parse\` refuses the value with its message; one in \`serialize\` is an error
of that field alone.

## Operators of filters

A field has the operators of its scalar that the database supports. \`filter_operators\` of a field limits them; \`filter_type: "EmailFilter"\`
selects those of another scalar.

${operatorSets()}

For lists of scalars, see [query](../guides/query.md).

## Operators of single scalars

${toTable(['Scalars', 'Operator', 'Operand', 'Meaning', 'On'], specialRows())}

${toTable(['Operand', 'Members', 'Meaning'], inputs)}
`
  return { path: 'docs/reference/scalars.md', content }
}
