import { defineCompilePart } from 'svc/command'
import type { LabelsBlock } from './labels.ts'

/** The only file of the plugin that `svc compile` loads. */
export default defineCompilePart<{ readonly strict: boolean }>({
  keys: {
    schema: { label_language: { type: 'string', pattern: '^[a-z]{2}$', description: 'Language of the labels.' } },
    type: { label: { type: 'string', minLength: 1, description: 'What people call it.' } },
    field: { label: { type: 'string', minLength: 1, description: 'What people call it.' } },
  },
  functions: { labeller: 'Rewrites every label: `(text) => text`.' },
  compile({ schema, options, fault, warn }) {
    const owners = new Map<string, string>()
    const types: Record<string, LabelsBlock['types'][string]> = {}
    for (const type of schema.types ?? []) {
      const { name, label, fields } = type
      if (label === undefined) {
        const say = options.strict ? fault : warn
        if (schema.label_language !== undefined) say('missing', `Type "${name}" has no label. Add "label".`, type)
        continue
      }
      const twin = owners.get(label)
      if (twin !== undefined)
        fault('twin', `Types "${twin}" and "${name}" have the label "${label}". Change one.`, type)
      owners.set(label, name)
      const labelled = fields.flatMap((field) =>
        field.label === undefined ? [] : [[field.name, field.label] as const],
      )
      types[name] = { label, fields: Object.fromEntries(labelled) }
    }
    if (owners.size === 0) return undefined
    return { block: { language: schema.label_language ?? 'en', types } satisfies LabelsBlock, sdl: SDL }
  },
})

const SDL = `
  "A label that people read."
  type Label { type: ID! text: String! fields: [FieldLabel!]! }
  type FieldLabel { name: String! text: String! }
`
