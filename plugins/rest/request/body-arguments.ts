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

/** Maximum length of an unknown key in an error message. */
const LONGEST_KEY = 100
/** Maximum depth at which keys are renamed. Deeper values are rejected when they are coerced. */
const DEEPEST = 100

/**
 * Reads the arguments of a REST route from the request body, whose members are the arguments or the fields of the only
 * input argument. Names may be spelled as in `schema.json` or as in GraphQL.
 * @param wanted GraphQL names of members that a PUT must contain
 * @throws SvcError BAD_REQUEST for a body that is not an object; VALIDATION_ERROR with status 422 and all problems
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
  // An empty body omits the input, so that its default applies.
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

/** Collects the problems of a body, up to a maximum. */
class Problems {
  readonly #fields: FieldProblem[] = []

  /** @throws SvcError when the maximum number of problems is reached */
  note(field: string, reason: string): void {
    this.#fields.push({ field, reason })
    if (this.#fields.length < MOST_PROBLEMS) return
    this.#fields.push({ field: '', reason: `these are the first ${MOST_PROBLEMS} that are wrong` })
    this.refuse()
  }

  /** @throws SvcError VALIDATION_ERROR 422 if there are problems */
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

/** Renames members to their wire names, in nested inputs too. */
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

/** Returns the message without its subject, because the problem names the field already. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.replace(/^Argument "[^"]*" /, '')
}
