import { beforeAll, expect, it } from 'vitest';
import type { AgentMemory } from '../../app/contract.ts';
import { useTestEngine } from '../../testing/engine.fixture.ts';

/** Long memories, which hold most pairs of characters of any question. */
const THAI = [
  'ร้านกาแฟของสมชายเปิดทุกวันตั้งแต่เจ็ดโมงเช้าถึงห้าโมงเย็น และขายขนมปังที่อบเองในครัวหลังร้าน',
  'รถไฟไปเชียงใหม่ออกจากสถานีกลางตอนสองทุ่ม ผู้โดยสารควรมาก่อนเวลาอย่างน้อยครึ่งชั่วโมงเพื่อตรวจตั๋ว',
  'มาลีเลี้ยงแมวสองตัวชื่อถุงเงินกับถุงทอง พวกมันชอบนอนบนหลังคาตอนบ่ายและไม่ชอบอาบน้ำ',
  'เซิร์ฟเวอร์หลักอยู่ที่ศูนย์ข้อมูลในนนทบุรี สำรองข้อมูลทุกคืนตอนตีสองโดยทีมของวิชัย',
];
/** A vowel that NFKC takes apart, so that its words were split elsewhere in each text. */
const AM = 'ร้านคำหอมทำขนมสำหรับงานประจำปีของอำเภอ';
const LAO = 'ຂ້ອຍມັກກິນເຂົ້າໜຽວກັບປາແດກທຸກມື້';
const KHMER = 'សុខារស់នៅក្នុងទីក្រុងបាត់ដំបង';
const GREEK = [
  'Η Ελένη μένει στην οδό Σόλωνος στην Αθήνα και δουλεύει σε ένα βιβλιοπωλείο.',
  'Ο Νίκος πουλάει το παλιό του ποδήλατο και ψάχνει για ένα καινούργιο στην Αθήνα.',
  'Το γραφείο στην Αθήνα κλείνει κάθε Παρασκευή στις τρεις το μεσημέρι.',
];

const kit = useTestEngine();
let agent: AgentMemory;
beforeAll(async () => {
  agent = (await kit.tenant()).agent();
  const contents = [...THAI, AM, LAO, KHMER, ...GREEK];
  await agent.rememberBatch({
    memories: contents.map((content) => ({ type: 'semantic' as const, content })),
  });
});

it.each([
  ['รถไฟไปเชียงใหม่ออกกี่โมง', [THAI[1]]],
  ['แมวของมาลีชื่ออะไร', [THAI[2]]],
  ['ใครสำรองข้อมูลของเซิร์ฟเวอร์หลัก', [THAI[3]]],
  ['อำเภอไหน', [AM]],
  // Nothing answers it.
  ['สระว่ายน้ำของโรงแรมลึกเท่าไร', []],
  ['ຂ້ອຍມັກກິນຫຍັງ?', [LAO]],
  ['សុខារស់នៅទីក្រុងណា?', [KHMER]],
  // The question mark of Greek looks like a semicolon.
  ['Σε ποια οδό της Αθήνας μένει η Ελένη με την οικογένειά της;', [GREEK[0]]],
])('%s', async (query, found) => {
  const { results } = await agent.recall({ query });
  expect(results.map(({ content }) => content)).toEqual(found);
});
