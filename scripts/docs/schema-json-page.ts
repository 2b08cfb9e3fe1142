import { schemaJsonSchema } from '../../core/compiler/shape-with-keys.ts'
import { ownedKeysOf } from '../../core/config/owned-keys.ts'
import { listManifests } from './config-sections.ts'
import { code, GENERATED, type Page, toTable } from './page.ts'

interface Node {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly enum?: readonly string[]
  readonly anyOf?: readonly Node[]
  readonly items?: Node
  readonly properties?: Readonly<Record<string, Node>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Node
}

/** Title of the section, and the definition it shows. */
const SECTIONS: readonly (readonly [string, string])[] = [
  ['Object types: `types[]`', 'type'],
  ['Fields: `types[].fields[]`, `interfaces[].fields[]`', 'field'],
  ['Enums: `enums[]`', 'enum'],
  ['Interfaces: `interfaces[]`', 'interface'],
  ['Unions: `unions[]`', 'union'],
  ['Inputs: `input_types[]`', 'input'],
  ['Fields of inputs: `input_types[].fields[]`', 'input_field'],
  ['Scalars: `custom_scalars[]`', 'scalar'],
  ['All operations: `queries[]`, `mutations[]`, `subscriptions[]`', 'operation'],
  ['Arguments: `arguments[]`', 'argument'],
  ['Queries: `queries[]`, besides', 'query'],
  ['Mutations: `mutations[]`, besides', 'mutation'],
  ['Subscriptions: `subscriptions[]`, besides', 'subscription'],
  ['Observers: `observers[]`', 'observer'],
  ['Automatic parameters: `query_defaults`', 'auto_param_flags'],
  ['Validation: `validate`', 'validate'],
]

const INTRO = `\`schema.json\` is the contract between authoring languages and \`svc compile\`: one JSON object with lists of named
objects, keys in snake_case. Its JSON Schema is [schema.schema.json](schema.schema.json); with \`$schema\` in the file, editors complete it.

- A type is GraphQL notation everywhere, also for the result of an operation: \`"[Post!]!"\`. Without \`!\` it may be null.
- An option that is not set is a key that is not there. \`null\` counts as not there, except as a \`default\`.
- An unknown key is an error that names the nearest one.
- Names are as declared, in snake_case or camelCase. The name on the wire is camelCase: \`created_at\` is \`createdAt\`.

## Where values come from

| Element | Default |
| --- | --- |
| rows of a type | \`sql_source\`; else the one source that its queries name; else \`v_<type>\`, else \`tv_<type>\`; else it is embedded in its parent's JSON |
| value of a field | the native column of that name (snake_case, or \`column\`), else the key in the source's JSON column (\`data\`, or \`jsonb_column\`) |
| one object, \`author: User\` | \`fk_author\`, \`author_id\`, or the only \`fk_user\` = \`pk_user\` or \`id\` of the other source; \`relation\` says otherwise |
| a list, \`posts: [Post!]!\` | the one reference of the other source to this type |
| a list through a join table, \`actors: [Actor!]!\` | \`relation\` with \`through\`: the join table, its columns for this type (\`from\`) and for the other (\`to\`) |
| argument of a query | equals the column or key of that name; \`id_arg\` names the one that is the id |
| function of a mutation | \`sql_source\`, else \`fn_<name>\`; arguments go to parameters by name, with or without \`p_\`, else by position |
| an input object | one JSON parameter where the function has one for it, else one parameter per field; \`input_style\` says otherwise |
| injected claims | parameters by name, else after all arguments, in declared order |

A value in a JSON document that is not of the type of its field (a text that is no date, a number in the place of an object or of a
list, an object whose \`__typename\` is none of the possible types) is null with an error at its path, and the rest of the answer
stays. Filters, orders, groups and aggregates treat it as null, and a relation by such a key finds no row. On PostgreSQL, filters and
orders by a key use an index over its cast, such as \`CREATE INDEX ON tb_post (((data ->> 'size')::int))\`: \`int\` for \`Int\`, \`bigint\`
for \`BigInt\`, \`numeric\` for \`Decimal\`, \`float8\` for \`Float\`, \`uuid\` for \`UUID\`, \`boolean\` for \`Boolean\`. Compile the schema after you create it.

Older spellings are read as well: \`return_type\` with \`returns_list\` and \`nullable\`, \`list: true\`, \`inject_params\`,
\`cache_ttl_seconds\`, \`invalidates_views\`, \`fn_name\`, \`rest: { path, method }\`, \`types\` of a union, \`scalars\`,
\`default_value\`, \`sql_column\`, \`deprecation_reason\`, \`deprecated: { reason }\`, \`Json\`, enum values as plain texts, and a map
by name where a list is expected.
`

/** docs/reference/schema.schema.json: the published JSON Schema, with the keys of all plugins. */
export function renderSchemaShape(): Page {
  const shape = schemaJsonSchema(ownedKeysOf(listManifests()))
  return { path: 'docs/reference/schema.schema.json', content: `${JSON.stringify(shape, null, 2)}\n` }
}

/** docs/reference/schema-json.md */
export function renderSchemaJsonPage(): Page {
  const root = schemaJsonSchema(ownedKeysOf(listManifests())) as unknown as Node & {
    readonly $defs: Readonly<Record<string, Node>>
  }
  const parts = [`# schema.json\n\n${GENERATED}\n`, INTRO, '## Top level\n', `${table(root, root.$defs)}\n`]
  for (const [title, name] of SECTIONS) parts.push(`## ${title}\n`, `${table(root.$defs[name] ?? {}, root.$defs)}\n`)
  return { path: 'docs/reference/schema-json.md', content: parts.join('\n') }
}

function table(node: Node, defs: Readonly<Record<string, Node>>): string {
  const rows = Object.entries(node.properties ?? {})
    .filter(([key]) => key !== '$place')
    .map(([key, child]) => {
      const resolved = child.$ref === undefined ? child : { ...defs[nameOf(child.$ref)], ...child }
      const mark = node.required?.includes(key) === true ? ' (required)' : ''
      return [`${code(key)}${mark}`, kindOf(child, defs), resolved.description ?? '']
    })
  return toTable(['Key', 'Form', 'Meaning'], rows)
}

function kindOf(node: Node, defs: Readonly<Record<string, Node>>): string {
  if (node.$ref !== undefined) {
    const name = nameOf(node.$ref)
    return SECTIONS.some(([, known]) => known === name) ? name.replaceAll('_', ' ') : kindOf(defs[name] ?? {}, defs)
  }
  if (node.enum !== undefined) return node.enum.map(code).join(', ')
  if (node.anyOf !== undefined) return node.anyOf.map((branch) => kindOf(branch, defs)).join(' or ')
  if (node.type === 'array') return `list of ${node.items === undefined ? 'anything' : kindOf(node.items, defs)}`
  if (node.type === 'object' && node.properties !== undefined) return `{ ${Object.keys(node.properties).join(', ')} }`
  return typeof node.type === 'string' ? node.type : (node.type?.join(' or ') ?? 'anything')
}

function nameOf(ref: string): string {
  return ref.replace('#/$defs/', '')
}
