import type { Json } from './json.ts'

type Section = 'schemas' | 'responses' | 'parameters'

/** The `components` of an OpenAPI document. A component is added when something refers to it. */
export class Components {
  readonly #sections: Record<Section, Map<string, Json>> = {
    schemas: new Map(),
    responses: new Map(),
    parameters: new Map(),
  }
  readonly #names = new Map<string, string>()

  /**
   * Returns a reference to a component, which is built at its first reference. It can reference itself.
   * @param key identity of the component: different components with the same name have different keys
   * @param wanted preferred name
   */
  refer(section: Section, key: string, wanted: string, build: () => Json): Json {
    const id = `${section} ${key}`
    let name = this.#names.get(id)
    if (name === undefined) {
      const parts = this.#sections[section]
      name = freeName(wanted.replace(/[^A-Za-z0-9._-]/g, '_'), parts)
      this.#names.set(id, name)
      // Reserves the name before `build`, which can add other components.
      parts.set(name, {})
      parts.set(name, build())
    }
    return { $ref: `#/components/${section}/${name}` }
  }

  schema(key: string, wanted: string, build: () => Json): Json {
    return this.refer('schemas', key, wanted, build)
  }

  toJson(): Json {
    const sections = Object.entries(this.#sections).filter(([, parts]) => parts.size > 0)
    return Object.fromEntries(
      sections.map(([section, parts]) => [
        section,
        Object.fromEntries([...parts].sort(([a], [b]) => (a < b ? -1 : 1))),
      ]),
    )
  }
}

function freeName(wanted: string, taken: ReadonlyMap<string, unknown>): string {
  let name = wanted
  for (let number = 2; taken.has(name); number++) name = `${wanted}_${number}`
  return name
}
