import type { JsonSchema } from '../contract/manifest.ts'

/** A section of svc.toml that svc itself reads, and no plugin, with its JSON Schema. */
export interface CoreSection {
  /** Dotted path of the section: `server`, `svc.validation`. */
  readonly path: string
  readonly schema: JsonSchema
}

export const text = (description: string, rest: JsonSchema = {}): JsonSchema => ({
  type: 'string',
  description,
  ...rest,
})
export const flag = (description: string, byDefault: boolean): JsonSchema => ({
  type: 'boolean',
  default: byDefault,
  description,
})
export const whole = (description: string, byDefault: number, minimum = 0, rest: JsonSchema = {}): JsonSchema => ({
  type: 'integer',
  minimum,
  default: byDefault,
  description,
  ...rest,
})
/** Maximum delay of a Node timer in milliseconds. */
const MAX_DELAY_MS = 2_147_483_647
export const delay = (description: string, byDefault: number, minimum = 0): JsonSchema =>
  whole(description, byDefault, minimum, { maximum: MAX_DELAY_MS })
