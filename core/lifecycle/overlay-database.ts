import type { Database } from '../contract/database.ts'

/** @returns the database with these members in the place of its own; a driver's others keep their `this` */
export function overlayDatabase(database: Database, members: Partial<Record<PropertyKey, unknown>>): Database {
  return new Proxy(database, {
    get(target, key) {
      if (Object.hasOwn(members, key)) return members[key]
      const value: unknown = Reflect.get(target, key, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
