import type { JsonSchema } from '../../core/doors/plugin.ts'

/** Encodings, in order of preference. */
const ENCODINGS = ['br', 'gzip'] as const
export type Encoding = (typeof ENCODINGS)[number]

/** Options of the section `[server.compression]`. */
export interface CompressionOptions {
  readonly enabled: boolean
  readonly min_bytes: number
  readonly encodings: readonly Encoding[]
}

export const options: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    enabled: { type: 'boolean', default: true, description: 'Off: answers go out as they are.' },
    min_bytes: {
      type: 'integer',
      minimum: 1,
      default: 1024,
      description: 'Answers of fewer bytes are sent as they are.',
    },
    encodings: {
      type: 'array',
      items: { enum: [...ENCODINGS] },
      minItems: 1,
      uniqueItems: true,
      default: [...ENCODINGS],
      description: 'What clients may ask for, the best first.',
    },
  },
}
