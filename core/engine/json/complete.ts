import { SvcError } from '../../base/errors/svc-error.ts'
import { isPromise } from '../../base/util/promise.ts'
import { skipSpace, skipString, skipValue } from './json-text.ts'
import { unknownTypeIn } from './unknown-type.ts'
import type { MemberShape, ValueShape } from './value-shape.ts'

export interface Completed {
  /** JSON text of the checked value; `null`: a null in a non-null field made the whole value null. */
  readonly text: string | null
  readonly errors: readonly SvcError[]
}

interface Walk {
  readonly text: string
  at: number
  readonly errors: SvcError[]
  readonly path: (string | number)[]
}

/**
 * Checks a JSON text from the database against its declared form (GraphQL specification, "Handling Field Errors"). A
 * null in a non-null position, or a value of another type, becomes an error with its path, and the null propagates to
 * the nearest nullable position. It applies custom scalars (`serialize`) and masks. All other values keep their text.
 * @param member declared form of the value
 * @param path path of the value in the response
 */
export function complete(text: string, member: MemberShape, path: readonly (string | number)[]): Completed {
  const walk: Walk = { text, at: 0, errors: [], path: [...path] }
  return { text: completeValue(walk, member.shape, member), errors: walk.errors }
}

/** @returns `null` = a null that is not allowed here; its error is noted */
function completeValue(walk: Walk, shape: ValueShape, member: MemberShape): string | null {
  walk.at = skipSpace(walk.text, walk.at)
  const { text, at } = walk
  if (text.startsWith('null', at)) {
    walk.at += 4
    return shape.nullable ? 'null' : refuseNull(walk, member)
  }
  const completed =
    shape.items !== null && text[at] === '['
      ? completeItems(walk, shape.items, member)
      : shape.members !== null && text[at] === '{'
        ? completeMembers(walk, shape.members)
        : completeLeaf(walk, shape, member)
  return completed ?? (shape.nullable ? 'null' : null)
}

function completeItems(walk: Walk, items: ValueShape, member: MemberShape): string | null {
  const { text, path } = walk
  let result: string | null = ''
  walk.at = skipSpace(text, walk.at + 1)
  for (let index = 0; text[walk.at] !== ']'; index++) {
    path.push(index)
    const item = completeValue(walk, items, member)
    path.pop()
    result = item === null || result === null ? null : result === '' ? item : `${result},${item}`
    skipComma(walk)
  }
  walk.at++
  return result === null ? null : `[${result}]`
}

function completeMembers(walk: Walk, members: ReadonlyMap<string, MemberShape>): string | null {
  const { text, path } = walk
  let result: string | null = ''
  walk.at = skipSpace(text, walk.at + 1)
  while (text[walk.at] !== '}') {
    const keyEnd = skipString(text, walk.at)
    const quoted = text.slice(walk.at, keyEnd)
    walk.at = skipSpace(text, skipSpace(text, keyEnd) + 1)
    const key = quoted.slice(1, -1)
    const member = members.get(key)
    let value: string | null
    if (member === undefined) {
      const end = skipValue(text, walk.at)
      value = text.slice(walk.at, end)
      walk.at = end
    } else {
      path.push(key)
      value = completeValue(walk, member.shape, member)
      path.pop()
    }
    result = value === null || result === null ? null : `${result}${result === '' ? '' : ','}${quoted}:${value}`
    skipComma(walk)
  }
  walk.at++
  return result === null ? null : `{${result}}`
}

function completeLeaf(walk: Walk, shape: ValueShape, member: MemberShape): string | null {
  const stored = writeLeaf(walk, shape, member)
  if (stored === null || stored === 'null' || shape.masks === null) return stored
  return maskLeaf(walk, shape, member, stored, shape.masks)
}

/**
 * Applies the masks of a field to its stored value, as JSON. An exception, a promise, or a result that is not of the
 * field's type is noted as INTERNAL_SERVER_ERROR.
 * @returns JSON; `null` when the field failed, so that the stored value is never shown
 */
function maskLeaf(
  walk: Walk,
  shape: ValueShape,
  member: MemberShape,
  stored: string,
  masks: NonNullable<ValueShape['masks']>,
): string | null {
  let text: string
  try {
    let value: unknown = JSON.parse(stored)
    for (const mask of masks) value = mask(value)
    if (isPromise(value)) throw new Error(`the mask of ${member.place} gives a promise`)
    text = JSON.stringify(value) ?? 'null'
  } catch (cause) {
    note(walk, member, 'INTERNAL_SERVER_ERROR', `The mask of ${member.place} failed.`, cause)
    return null
  }
  if (text === 'null') return shape.nullable ? text : refuseNull(walk, member)
  const isLeaf = shape.leaf === null || shape.leaf(text) !== null
  if (isLeaf) return shape.leaf?.(text) ?? text
  note(walk, member, 'INTERNAL_SERVER_ERROR', `The mask of ${member.place} gives no value of its type.`, undefined)
  return null
}

function writeLeaf(walk: Walk, shape: ValueShape, member: MemberShape): string | null {
  const end = skipValue(walk.text, walk.at)
  const value = walk.text.slice(walk.at, end)
  walk.at = end
  if (shape.items !== null || shape.members !== null) {
    const unknown = shape.members === null ? null : unknownTypeIn(value)
    if (unknown !== null) return refuseType(walk, member, unknown)
    return refuseValue(walk, member, shape.items === null ? 'an object' : 'a list', value)
  }
  if (shape.leaf !== null) return shape.leaf(value) ?? refuseValue(walk, member, 'a value of its type', value)
  if (shape.serialize === null) return value
  try {
    const wire = JSON.stringify(shape.serialize(JSON.parse(value)) ?? null) ?? 'null'
    return wire === 'null' && !shape.nullable ? refuseNull(walk, member) : wire
  } catch (cause) {
    note(
      walk,
      member,
      cause instanceof SvcError ? cause.code : 'INTERNAL_SERVER_ERROR',
      serializeMessage(member, cause),
      cause,
    )
    return null
  }
}

function serializeMessage(member: MemberShape, cause: unknown): string {
  return cause instanceof SvcError
    ? cause.message
    : `The custom scalar of ${member.place} cannot write the stored value.`
}

const MOST_SHOWN = 100

/** Replaces an invalid value by null and adds an error. The client sees the path; the value is for the log only. */
function refuseValue(walk: Walk, member: MemberShape, wanted: string, value: string): null {
  const message = `What is stored for ${member.place} is not ${wanted}.`
  const shown = value.length > MOST_SHOWN ? `${value.slice(0, MOST_SHOWN)}…` : value
  note(walk, member, 'INTERNAL_SERVER_ERROR', message, new Error(`${member.place} holds ${shown}`))
  return null
}

/** Replaces an object of an interface or union by null and adds an error, because its type is unknown. */
function refuseType(walk: Walk, member: MemberShape, name: string): null {
  const held = name === '' ? 'no type name' : `the type name ${JSON.stringify(name.slice(0, MOST_SHOWN))}`
  const message = `What is stored for ${member.place} is not an object of one of its types.`
  note(walk, member, 'INTERNAL_SERVER_ERROR', message, new Error(`${member.place} holds an object with ${held}`))
  return null
}

function refuseNull(walk: Walk, member: MemberShape): null {
  note(walk, member, 'INTERNAL_SERVER_ERROR', `Cannot return null for non-nullable field ${member.place}.`, undefined)
  return null
}

/** Limit of noted errors: each of ten thousand rows may have the same fault. Further invalid values become null without an error. */
const MOST_ERRORS = 100

function note({ errors, path }: Walk, { locations }: MemberShape, code: string, message: string, cause: unknown): void {
  if (errors.length < MOST_ERRORS) errors.push(new SvcError(code, message, { path: [...path], locations, cause }))
  else if (errors.length === MOST_ERRORS) {
    const more = `More than ${MOST_ERRORS} values are null because what is stored cannot be shown: these are the first.`
    errors.push(new SvcError('INTERNAL_SERVER_ERROR', more, { path: [...path], locations }))
  }
}

function skipComma(walk: Walk): void {
  walk.at = skipSpace(walk.text, walk.at)
  if (walk.text[walk.at] === ',') walk.at = skipSpace(walk.text, walk.at + 1)
}
