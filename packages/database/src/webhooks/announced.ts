import type { OrganizationEventData, OrganizationEventType } from '@parley/protocol';

/** An event of an organization, published once it is committed. */
export type Announced<Type extends OrganizationEventType = OrganizationEventType> = {
  [One in Type]: {
    readonly organizationId: string;
    readonly type: One;
    readonly data: OrganizationEventData[One];
  };
}[Type];

const byTransaction = new WeakMap<object, Announced[]>();

/** Listeners are notified after the commit, and never of something that was rolled back. */
export function announce<Type extends OrganizationEventType>(
  { organizationId, trx }: { organizationId: string; trx: object },
  type: Type,
  data: OrganizationEventData[Type],
): void {
  const event = { organizationId, type, data } as Announced;
  const announced = byTransaction.get(trx);
  if (announced) announced.push(event);
  else byTransaction.set(trx, [event]);
}

export function announcedIn(trx: object): readonly Announced[] {
  return byTransaction.get(trx) ?? [];
}
