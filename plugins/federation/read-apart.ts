import { jsonText } from '../../core/doors/front.ts'
import type { SvcError } from '../../core/doors/plugin.ts'
import type { EntityGroup } from './group-representations.ts'

/** Results of groups of representations. */
export interface ReadGroups {
  /** Lists of rows as JSON text, by name of the group. */
  readonly rows: ReadonlyMap<string, string>
  readonly errors: readonly SvcError[]
  /** Groups of representations whose rows could not be read. */
  readonly refused: readonly RefusedGroup[]
}

export interface RefusedGroup {
  readonly group: EntityGroup
  readonly error: SvcError
}

/** Limit on the statements that an operation may still send to find its failing representations. */
export interface Searches {
  left: number
}

/** Errors that apply to all representations of a type. */
const OF_ALL: ReadonlySet<string> = new Set(['UNAUTHENTICATED', 'FORBIDDEN', 'VALIDATION_ERROR', 'TIMEOUT'])

/**
 * Reads a group whose statement failed. Computed SQL can fail for the values of a single representation, which fails
 * the whole statement. The group is bisected until that representation is isolated, so that the others are returned.
 * When no statements are left, the remaining part fails as a whole.
 */
export async function readFailedApart(
  read: (groups: readonly EntityGroup[]) => Promise<ReadGroups>,
  result: ReadGroups,
  searches: Searches,
): Promise<ReadGroups> {
  if (!result.refused.some(isDivisible)) return result
  const rows = new Map(result.rows)
  const errors = [...result.errors]
  const refused = result.refused.filter((one) => !isDivisible(one))
  for (const failed of result.refused.filter(isDivisible)) {
    const texts = await readHalves(failed)
    rows.set(failed.group.name, `[${texts.join()}]`)
  }
  return { rows, errors, refused }

  async function readHalves({ group, error }: RefusedGroup): Promise<readonly string[]> {
    const middle = group.keys.length >> 1
    const texts: string[] = []
    for (const half of [partOf(group, 0, middle), partOf(group, middle)]) texts.push(...(await readHalf(half, error)))
    return texts
  }

  /** @param error error of the half when no statements are left */
  async function readHalf(half: EntityGroup, error: SvcError): Promise<readonly string[]> {
    if (searches.left === 0) return fail({ group: half, error })
    searches.left--
    const found = await read([half])
    errors.push(...found.errors)
    const list = found.rows.get(half.name)
    if (list !== undefined) return jsonText.readItems(list)
    const again = found.refused[0] ?? { group: half, error }
    return isDivisible(again) ? readHalves(again) : fail(again)
  }

  function fail(one: RefusedGroup): readonly string[] {
    refused.push(one)
    return one.group.keys.map(() => 'null')
  }
}

function isDivisible({ group, error }: RefusedGroup): boolean {
  return group.given.length > 0 && group.keys.length > 1 && error.status < 503 && !OF_ALL.has(error.code)
}

function partOf(group: EntityGroup, from: number, to?: number): EntityGroup {
  const [keys, given, places] = [group.keys.slice(from, to), group.given.slice(from, to), group.places.slice(from, to)]
  return { ...group, keys, given, places }
}
