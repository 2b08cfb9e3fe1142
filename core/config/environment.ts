import { nearest } from '../base/util/nearest.ts'
import { isSection, listKeys, type SchemaNode } from './assemble-schema.ts'
import { coerceText } from './coerce-text.ts'
import type { Fault } from './faults.ts'
import type { Environment } from './interpolate.ts'
import { type KeyPath, printKey, setAt, type Table } from './key-path.ts'
import type { Layer } from './layers.ts'

/** Variables with the prefix that do not set a key of the configuration. */
const OTHER_VARIABLES =
  /^SVC_(TEST_|LOG_)|^SVC_(SCHEMA_(OUT|PLACES|ERRORS)|DIST|MSGBUS_URL|WORKER|REQUIRE_KVSTORE|MCP_STDIO)$/i
/** Variables that Kubernetes sets in every pod for a Service named `svc`. */
const KUBERNETES_VARIABLES = /^SVC_(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT(_\d+_(TCP|UDP)(_\w+)?)?)$/

/**
 * Returns the name of the environment variable that sets a configuration key: `SVC_SERVER__PORT` for `server.port`
 * (docs/reference/config.md).
 */
export function environmentName(path: readonly string[]): string {
  return `SVC_${path.join('__').toUpperCase()}`
}

/**
 * Reads the configuration values that environment variables set: `SVC_…` with `__` for nesting, in any case;
 * `DATABASE_URL` for `database.url`, unless `SVC_DATABASE__URL` is set; and variables that plugins declare for their
 * keys (`environment` in the JSON Schema). Each text is converted to the type of its key.
 * @param schema JSON Schema of svc.toml
 * @param referenced names of variables that svc.toml refers to as `${VAR}`. They need not match a key
 * @returns the values, and a fault for each `SVC_…` variable that matches no key
 */
export function readEnvironment(
  env: Environment,
  schema: SchemaNode,
  referenced: ReadonlySet<string> = NONE,
): { layer: Layer; faults: readonly Fault[] } {
  const values: Table = {}
  const places = new Map<string, string>()
  const faults: Fault[] = []
  const put = (name: string, path: readonly string[], value: unknown): void => {
    setAt(values, path, value)
    places.set(printKey(path), name)
  }
  if (env.DATABASE_URL) put('DATABASE_URL', ['database', 'url'], env.DATABASE_URL)
  const named = new Set<string>()
  for (const { path, schema: key } of listKeys(schema)) {
    const name = key.environment
    if (typeof name === 'string') named.add(name)
    const text = typeof name === 'string' ? env[name] : undefined
    if (text !== undefined && text !== '') put(name as string, path, coerceText(text, key))
  }
  for (const name of Object.keys(env).sort()) {
    const text = env[name]
    if (text === undefined || named.has(name) || !isOurs(name, env)) continue
    const found = findKey(schema, name)
    if (found !== undefined && !isSection(found.schema)) put(name, found.path, coerceText(text, found.schema))
    else if (!referenced.has(name)) faults.push(unknownVariable(name, found?.path, schema))
  }
  const placeOf = (path: KeyPath): string => {
    for (let length = path.length; length > 0; length--) {
      const place = places.get(printKey(path.slice(0, length)))
      if (place !== undefined) return place
    }
    return 'environment'
  }
  return { layer: { name: 'environment', values, placeOf }, faults }
}

const NONE: ReadonlySet<string> = new Set()

function isOurs(name: string, env: Environment): boolean {
  if (!/^SVC_/i.test(name) || OTHER_VARIABLES.test(name)) return false
  return env.KUBERNETES_SERVICE_HOST === undefined || !KUBERNETES_VARIABLES.test(name)
}

function findKey(schema: SchemaNode, name: string): { path: string[]; schema: SchemaNode } | undefined {
  const path: string[] = []
  let node = schema
  for (const part of name.slice('SVC_'.length).toLowerCase().split('__')) {
    const properties = node.properties ?? {}
    const key = Object.keys(properties).find((candidate) => candidate.toLowerCase() === part)
    const rest = node.additionalProperties
    const next = key !== undefined ? properties[key] : typeof rest === 'object' ? (rest as SchemaNode) : undefined
    if (next === undefined || part === '') return undefined
    path.push(key ?? part)
    node = next
  }
  return { path, schema: node }
}

/** A section whose keys are names of the schema. These are case-sensitive, unlike environment variables, so variables cannot set them. */
const OF_THE_SCHEMA = /^SVC_SVC__VALIDATION(?:__|$)/i

function unknownVariable(name: string, section: readonly string[] | undefined, schema: SchemaNode): Fault {
  if (OF_THE_SCHEMA.test(name)) {
    const message =
      `${name}: rules for what clients send are no matter of the environment. \`svc compile\` writes them into the artifact, ` +
      'and their keys are names of the schema, whose case a variable does not keep. Write them under [svc.validation] in svc.toml, or into the schema'
    return { key: 'svc.validation', place: name, message }
  }
  const known = listKeys(schema).map((key) => environmentName(key.path))
  if (section !== undefined) {
    const inside = known.filter((candidate) => candidate.startsWith(`${environmentName(section)}__`))
    const message = `${name} names the section [${printKey(section)}], not a key. Its keys: ${inside.join(', ')}`
    return { key: printKey(section), place: name, message }
  }
  const guess = nearest(name, known)
  const hint =
    guess === null
      ? 'Variables are named after the keys of svc.toml: SVC_SERVER__PORT is server.port'
      : `Did you mean "${guess}"?`
  return { key: '', place: name, message: `the environment variable ${name} belongs to no key. ${hint}` }
}
