import { jsonText } from '../../core/doors/front.ts'
import type { SvcError } from '../../core/doors/plugin.ts'
import type { EntityGroup } from './group-representations.ts'

/** Rows that were read for groups of entity representations, and the groups that failed. */
export interface ReadGroups {
  /** Rows of each group as a JSON list, by `EntityGroup.name`. */
  readonly rows: ReadonlyMap<string, string>
  readonly errors: readonly SvcError[]
  /** Groups whose rows could not be read, each with its error. */
  readonly refused: readonly RefusedGroup[]
}

export interface RefusedGroup {
  readonly group: EntityGroup
  readonly error: SvcError
}

/** Number of statements that an operation may still run to find the representations that make a statement fail. */
export interface Searches {
  left: number
}

/** Errors that apply to all representations of a type. */
const OF_ALL: ReadonlySet<string> = new Set(['UNAUTHENTICATED', 'FORBIDDEN', 'VALIDATION_ERROR', 'TIMEOUT'])

/**
 * Reads groups again whose statement failed, because a computed field can fail for a single representation. It bisects
 * such a group until this representation is isolated, and returns the other rows. Without statements left, the rest of
 * the group fails.
 * @param read reads groups with one statement
 * @param result result of the first attempt
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
