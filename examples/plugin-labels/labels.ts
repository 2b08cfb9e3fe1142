import { blockOf, type SchemaModel } from 'svc'
import type { AuthorFunction } from 'svc/command'

/** Keys that the plugin adds to schema.json; `compile.ts` defines their form. */
declare module 'svc/command' {
  interface AuthoredSchema {
    readonly label_language?: string
  }
  interface AuthoredType {
    readonly label?: string
  }
  interface AuthoredField {
    readonly label?: string
  }
}

/** The labels of one type. */
export interface TypeLabels {
  readonly label: string
  /** By name of the field, as declared. */
  readonly fields: Readonly<Record<string, string>>
}

/** The block of the compile part in the artifact. */
export interface LabelsBlock {
  readonly language: string
  readonly types: Readonly<Record<string, TypeLabels>>
}

/** The labels of a schema, as the author's functions of the kind `labeller` make them. */
export function readLabels(schema: SchemaModel): ReadonlyMap<string, TypeLabels> {
  const block = blockOf(schema, 'labels') as LabelsBlock | undefined
  const labellers = schema.authorFunctions.filter(({ kind }) => kind === 'labeller').map(toLabeller)
  const say = (text: string) => labellers.reduce((said, labeller) => labeller(said), text)
  return new Map(
    Object.entries(block?.types ?? {}).map(([name, { label, fields }]) => [
      name,
      { label: say(label), fields: Object.fromEntries(Object.entries(fields).map(([key, text]) => [key, say(text)])) },
    ]),
  )
}

function toLabeller({ name, value }: AuthorFunction): (text: string) => string {
  if (typeof value === 'function') return (text) => String(value(text))
  throw new Error(`The labeller "${name}" is no function.`)
}
