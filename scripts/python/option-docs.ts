import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'oxc-parser'
import { toSnakeCase } from '../../core/base/util/naming.ts'
import { listSchemaKeys } from '../options/schema-keys.ts'

interface Node {
  readonly type: string
  readonly start: number
  readonly [key: string]: unknown
}
interface Interface {
  readonly bases: string[]
  /** Member → text of its TSDoc. */
  readonly docs: Map<string, string>
}

const ROOT = new URL('../../', import.meta.url)

/** Element → the interface of its options in `svc/authoring`. */
const INTERFACES: Readonly<Record<string, string>> = {
  type: 'TypeOptions',
  interface: 'InterfaceOptions',
  input: 'InputOptions',
  error: 'TypeOptions',
  field: 'FieldOptions',
  input_field: 'FieldOptions',
  enum: 'EnumOptions',
  union: 'UnionClassOptions',
  scalar: 'ScalarOptions',
  query: 'QueryOptions',
  arrow_query: 'ArrowQueryOptions',
  mutation: 'MutationOptions',
  subscription: 'SubscriptionOptions',
  observer: 'ObserverOptions',
  retry: 'RetryOptions',
  hierarchy: 'HierarchyOptions',
}

/** Texts of members that are no member of an interface. */
const OTHERWISE: Readonly<Record<string, string>> = {
  'enum_value.value': 'The value in SQL. Default: the name.',
  'enum_value.description': 'Description in the schema.',
  'enum_value.deprecated': 'Deprecation reason, with a replacement.',
  'argument.default': 'Makes the argument optional for the client. `None` is the default null.',
  'argument.deprecated': 'Deprecation reason, with a replacement.',
  'argument.validate': 'Validation rules for its value, checked before any SQL runs.',
  'argument.fullText': 'For a query: search a `tsvector` column for the value, instead of comparing a field with it.',
  'query.cache': '`false`: results are never cached, also with `[svc.caching]` enabled.',
  'type.isError': 'Failures of mutations can have this type. `error` sets it.',
  'union.members': 'The members: classes or names.',
  'observer.actions': 'Actions: results of `webhook`, `email` and `chat`.',
  'observer.retry': 'Attempts and the delay between them.',
  'retry.initialDelayMs': 'Delay before the second attempt. Default 100.',
  'retry.maxDelayMs': 'Longest delay. Default 30,000.',
  'mutation.upsertFunction': 'Function for REST upserts. Default: none.',
  'mutation.cascade': '`true`: the function reports other rows that it changed, in a column `cascade`.',
}

let interfaces: ReadonlyMap<string, Interface> | undefined

/**
 * Returns the text of an option: its TSDoc in `svc/authoring`, otherwise the description of its key in schema.json.
 * @param element name of a table of `OPTION_TABLES`
 * @throws Error for an option without a text
 */
export function optionDoc(element: string, option: string): string {
  const written = OTHERWISE[`${element}.${option}`] ?? docOf(INTERFACES[element] ?? '', option)
  if (written !== undefined) return written
  const keys = listSchemaKeys()
  const key = option === 'args' ? 'arguments' : toSnakeCase(option)
  const described = [element, 'type', 'query']
    .map((one) => keys.get(`${one}.${key}`))
    .find((text) => text !== undefined)
  if (described !== undefined && described !== '') return described
  throw new Error(`The option ${element}.${option} has no text. Write TSDoc for it in core/authoring.`)
}

function docOf(name: string, option: string): string | undefined {
  interfaces ??= readInterfaces()
  const found = interfaces.get(name)
  if (found === undefined) return undefined
  return found.docs.get(option) ?? found.bases.map((base) => docOf(base, option)).find((doc) => doc !== undefined)
}

function readInterfaces(): ReadonlyMap<string, Interface> {
  const found = new Map<string, Interface>()
  const files = [
    ...readdirSync(new URL('core/authoring/', ROOT)).map((file) => `core/authoring/${file}`),
    ...readdirSync(new URL('plugins/', ROOT)).map((plugin) => `plugins/${plugin}/schema-keys.ts`),
  ]
  for (const file of files) {
    const path = fileURLToPath(new URL(file, ROOT))
    const text = readText(path)
    if (text === null) continue
    const { program, comments } = parseSync(path, text)
    const docBefore = (start: number): string | undefined => {
      const comment = comments.findLast(({ end }) => end <= start)
      const isAdjacent = comment !== undefined && /^\s*$/.test(text.slice(comment.end, start))
      return isAdjacent && comment.value.startsWith('*') ? plainText(comment.value) : undefined
    }
    walk(program as unknown as Node, (node) => {
      if (node.type !== 'TSInterfaceDeclaration') return
      const name = nameOf(node.id)
      const one: Interface = found.get(name) ?? { bases: [], docs: new Map() }
      found.set(name, one)
      for (const base of node.extends as readonly Node[]) one.bases.push(baseName(base))
      for (const member of (node.body as { readonly body: readonly Node[] }).body) {
        const doc = docBefore(member.start)
        if (doc !== undefined) one.docs.set(nameOf(member.key), doc)
      }
    })
  }
  return found
}

/** Returns the interface that a heritage clause names: `OperationOptions` of `Omit<OperationOptions, …>`. */
function baseName(base: Node): string {
  const { params = [] } = (base.typeArguments ?? {}) as { readonly params?: readonly Node[] }
  const inner = params[0]?.typeName
  return inner === undefined ? nameOf(base.expression) : nameOf(inner)
}

function nameOf(node: unknown): string {
  const { name, value } = node as { readonly name?: string; readonly value?: string }
  return name ?? String(value)
}

function walk(node: Node, visit: (node: Node) => void): void {
  visit(node)
  for (const child of Object.values(node).flat()) {
    if (typeof child === 'object' && child !== null && typeof (child as Node).type === 'string')
      walk(child as Node, visit)
  }
}

/** Removes the stars of a TSDoc comment. */
function plainText(comment: string): string {
  return comment
    .replace(/^\*/, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\*?\s?/, ''))
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim()
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}
