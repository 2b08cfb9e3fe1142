import {
  type ArgumentModel,
  coerceInput,
  ExactNumber,
  type InputFieldModel,
  type NamedType,
  shorten,
  type TypeRef,
} from '../../../core/doors/front.ts'
import { didYouMean, listNames, SvcError } from '../../../core/doors/plugin.ts'
import { bodyInput } from '../routes/writable-fields.ts'
import { badRequest, type FieldProblem, invalidFields, MOST_PROBLEMS } from './refusals.ts'

type Members = Readonly<Record<string, unknown>>

/** Of a key that does not exist, and is the client's. */
const LONGEST_KEY = 100
/** Of objects in objects: what is deeper is refused where values are converted. */
const DEEPEST = 100

/**
 * The arguments that a body gives: its members are arguments, or the fields of the one input that there is. Names are taken
 * as declared or as on the wire.
 * @param wanted names on the wire that have to be there, for a PUT
 * @throws SvcError BAD_REQUEST for what is no object, VALIDATION_ERROR 422 with all that is wrong
 */
export function bodyArguments(
  args: readonly ArgumentModel[],
  body: unknown,
  wanted: readonly string[] = [],
): Record<string, unknown> {
  const members = objectOf(body)
  const problems = new Problems()
  const input = bodyInput(args)
  const fields = input === null ? args : [...input.fields.values()]
  // Nothing at all leaves the input out, and then its default holds.
  if (input !== null && args[0]!.default !== undefined && wanted.length === 0 && Object.keys(members).length === 0)
    return {}
  const given = rename(members, fields, '', problems)
  for (const name of wanted) {
    if (!Object.hasOwn(given, name)) problems.note(name, 'a PUT is required to have it: missing writable field')
  }
  for (const field of fields) {
    const { wireName, type, default: byDefault } = field
    if (type.nullable || byDefault !== undefined || Object.hasOwn(given, wireName) || wanted.includes(wireName))
      continue
    problems.note(wireName, 'it is required')
  }
  for (const { wireName, type, named } of fields) {
    if (!Object.hasOwn(given, wireName)) continue
    try {
      given[wireName] = coerceInput(type, named, given[wireName], [wireName])
    } catch (error) {
      problems.note(placeOf(error, wireName), reasonOf(error))
    }
  }
  problems.refuse()
  if (input === null) return given
  for (const { wireName, type, named, default: value } of fields) {
    if (value !== undefined && !Object.hasOwn(given, wireName))
      given[wireName] = coerceInput(type, named, value, [wireName])
  }
  return { [args[0]!.wireName]: given }
}

/** All that is wrong with a body, as far as anybody reads. */
class Problems {
  readonly #fields: FieldProblem[] = []

  /** @throws SvcError when there are so many that the others are not looked for */
  note(field: string, reason: string): void {
    this.#fields.push({ field, reason })
    if (this.#fields.length < MOST_PROBLEMS) return
    this.#fields.push({ field: '', reason: `these are the first ${MOST_PROBLEMS} that are wrong` })
    this.refuse()
  }

  /** @throws SvcError VALIDATION_ERROR 422 when there are any */
  refuse(): void {
    if (this.#fields.length > 0) throw invalidFields(this.#fields)
  }
}

function objectOf(body: unknown): Members {
  if (body === undefined) return {}
  if (typeof body === 'object' && body !== null && !Array.isArray(body) && !(body instanceof ExactNumber))
    return body as Members
  throw badRequest('The body has to be a JSON object.')
}

/** Members under the names on the wire; nested inputs too. */
function rename(
  members: Members,
  fields: readonly InputFieldModel[],
  place: string,
  problems: Problems,
  depth = 0,
): Record<string, unknown> {
  const renamed: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(members)) {
    const field = fields.find(({ name, wireName }) => key === wireName || key === name)
    if (field === undefined) {
      const names = fields.map(({ wireName }) => wireName)
      problems.note(
        place + shorten(key, LONGEST_KEY),
        `it does not exist.${didYouMean(key, names)} There are: ${listNames(names)}`,
      )
    } else if (Object.hasOwn(renamed, field.wireName)) {
      problems.note(place + key, 'it is given twice, in two spellings')
    } else renamed[field.wireName] = renameValue(value, field.type, field.named, `${place}${key}.`, problems, depth + 1)
  }
  return renamed
}

function renameValue(
  value: unknown,
  type: TypeRef,
  named: NamedType,
  place: string,
  problems: Problems,
  depth: number,
): unknown {
  if (named.kind !== 'input' || typeof value !== 'object' || value === null || value instanceof ExactNumber)
    return value
  if (depth > DEEPEST) return value
  if (Array.isArray(value)) {
    const of = type.kind === 'list' ? type.of : type
    return value.map((item, index) =>
      renameValue(item, of, named, `${place.slice(0, -1)}[${index}].`, problems, depth + 1),
    )
  }
  return rename(value as Members, [...named.fields.values()], place, problems, depth)
}

function placeOf(error: unknown, name: string): string {
  const path = error instanceof SvcError ? error.details?.path : undefined
  return Array.isArray(path) ? path.join('.') : name
}

/** Without the subject, which stands beside it. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.replace(/^Argument "[^"]*" /, '')
}
