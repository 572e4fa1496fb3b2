import { type AuditEntity, findEntity } from '#contract/audit-entities.ts'

/** Returns what one such record is called; of a kind that only a newer server knows, the server's own word. */
export const toKindNoun = (entity: AuditEntity): string => findEntity(entity)?.noun ?? entity

/** Returns what all such records are called, see `toKindNoun`. */
export const toKindLabel = (entity: AuditEntity): string => findEntity(entity)?.label ?? entity
