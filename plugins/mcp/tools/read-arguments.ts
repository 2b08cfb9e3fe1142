import { type FieldChoice, fieldChoice } from '../../../core/doors/front.ts'
import { type QueryModel, SvcError } from '../../../core/doors/plugin.ts'
import type { PreparedTool } from './prepared-tool.ts'

type Values = Readonly<Record<string, unknown>>

/**
 * Arguments of a tool call, separated into those of the operation, the chosen fields, and whether to count all rows.
 */
export interface ToolRequest {
  readonly arguments: Values
  readonly fields: FieldChoice | undefined
  readonly count: boolean
}

const MOST_FIELDS = 200
const LONGEST_FIELD = 400

/**
 * Converts the arguments of a tool call to those of its operation. It limits the page size and adds the fixed arguments
 * of the configuration.
 * @throws SvcError BAD_USER_INPUT for hidden arguments and invalid field names
 */
export function readArguments(tool: PreparedTool, given: Values): ToolRequest {
  const { curation, closed, fields, count, shapes } = tool
  const values: Record<string, unknown> = Object.create(null)
  for (const [name, value] of Object.entries(given)) {
    if (name === fields || name === count) continue
    if (shapes.has(name) && closed.has(name)) throw refused(`"${name}" is no argument of this tool.`, name)
    values[name] = value
  }
  boundPages(tool, values)
  Object.assign(values, curation.fixed)
  return {
    arguments: values,
    fields: curation.fields === undefined ? chosen(fields, given) : fieldChoice(curation.fields),
    count: readCount(count, given),
  }
}

function boundPages({ operation, curation, pages }: PreparedTool, values: Record<string, unknown>): void {
  const { bounds, byDefault, most } = pages
  for (const name of bounds) {
    const requested = values[name]
    if (typeof requested === 'number' && requested > most) values[name] = most
  }
  const isUnsaid = (name: string): boolean =>
    !Object.hasOwn(curation.fixed, name) && (values[name] === undefined || values[name] === null)
  if (![...bounds].every(isUnsaid)) return
  const name = (operation as QueryModel).relay ? 'first' : 'limit'
  if (bounds.has(name)) values[name] = byDefault
}

function chosen(name: string | null, given: Values): FieldChoice | undefined {
  const value = name === null ? undefined : given[name]
  if (name === null || value === undefined || value === null) return undefined
  const isList = Array.isArray(value) && value.every((each) => typeof each === 'string' && each.length <= LONGEST_FIELD)
  if (!isList || value.length > MOST_FIELDS)
    throw refused(`"${name}" is a list of names of fields, ${MOST_FIELDS} at most.`, name)
  return fieldChoice(value)
}

function readCount(name: string | null, given: Values): boolean {
  const value = name === null ? undefined : given[name]
  if (value === undefined || value === null || typeof value === 'boolean') return value === true
  throw refused(`"${name}" is true or false.`, String(name))
}

function refused(message: string, name: string): SvcError {
  return new SvcError('BAD_USER_INPUT', message, { details: { path: [name] } })
}
