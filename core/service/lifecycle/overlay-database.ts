import type { Database } from '../../contract/database.ts'

/** Returns a proxy of a database in which some members are replaced. All other methods run on the original object. */
export function overlayDatabase(database: Database, members: Partial<Record<PropertyKey, unknown>>): Database {
  return new Proxy(database, {
    get(target, key) {
      if (Object.hasOwn(members, key)) return members[key]
      const value: unknown = Reflect.get(target, key, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
