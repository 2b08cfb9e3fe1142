import type { Complexity } from './api.ts'
import type { Place } from './walk-operation.ts'

/** `[validation]` of the plugin query-limits; without it its defaults. */
export interface Weights {
  readonly scalar_weight: number
  readonly object_weight: number
  readonly list_weight: number
}

export const DEFAULT_WEIGHTS: Weights = { scalar_weight: 1, object_weight: 1, list_weight: 5 }

/** The numbers that limits are about (behaviours 18.5), of an operation from any front. */
export function complexityOf(places: readonly Place[], weights: Weights): Complexity {
  const weightOf = { leaf: weights.scalar_weight, object: weights.object_weight, rows: weights.list_weight }
  return {
    depth: Math.max(0, ...places.map(({ path }) => path.length)),
    complexity: places.reduce((sum, { shape }) => sum + weightOf[shape], 0),
    alias_count: places.filter(({ aliased }) => aliased).length,
  }
}
