import type { AuthoredSchema } from '../../schema/authored.ts'

/** A file of a printed schema. */
export interface PrintedFile {
  /** Path relative to the folder of the schema: `schema.ts`, `schema/order.ts`. */
  readonly path: string
  readonly text: string
}

export interface PrintOptions {
  /** Prints several files. Default: when there are more than 30 types. */
  readonly split?: boolean
}

/**
 * Prints a schema as TypeScript with decorators of `svc/authoring`. Loading `schema.ts` gives the same schema.
 * @throws SvcError SVC_USAGE: the schema has something that no module can declare, such as a function of the author
 */
export function printTypeScript(_schema: AuthoredSchema, _options: PrintOptions = {}): readonly PrintedFile[] {
  return []
}
