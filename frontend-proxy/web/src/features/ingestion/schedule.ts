import { textIn } from "../../lib/answer";

const days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const short = days.map((day) => day.slice(0, 3).toUpperCase());

const number = (text: string, most: number) => (/^\d{1,2}$/.test(text) && Number(text) <= most ? Number(text) : undefined);
const two = (n: number) => String(n).padStart(2, "0");

/** Describes a cron expression. An expression without a short description is returned unchanged. */
export function scheduleText(interval: string): string {
  const cron = textIn(interval).trim();
  const [minutes = "", hours = "", date = "", month = "", weekday = "", ...more] = cron.split(/\s+/);
  if (month !== "*" || more.length > 0) {
    return cron;
  }
  const minute = number(minutes, 59);
  const hour = number(hours, 23);
  const any = date === "*" && weekday === "*";
  if (any && hours === "*") {
    const step = /^\*\/(\d{1,2})$/.exec(minutes)?.[1];
    return minutes === "*" ? "every minute" : minute !== undefined ? (minute === 0 ? "every hour" : `every hour, ${minute} min past`) : step && 60 % Number(step) === 0 ? `every ${Number(step)} minutes` : cron;
  }
  const step = /^\*\/(\d{1,2})$/.exec(hours)?.[1];
  if (any && minute === 0 && step && 24 % Number(step) === 0) {
    return `every ${Number(step)} hours`;
  }
  if (minute === undefined || hour === undefined) {
    return cron;
  }
  const time = `${two(hour)}:${two(minute)}`;
  if (any) {
    return `daily, ${time}`;
  }
  const named = short.indexOf(weekday.toUpperCase());
  const day = days[named >= 0 ? named : (number(weekday, 7) ?? -1)];
  if (date === "*" && day) {
    return `weekly, ${day} ${time}`;
  }
  if (date === "*" && /^(?:1-5|mon-fri)$/iu.test(weekday)) {
    return `weekdays, ${time}`;
  }
  return weekday === "*" && number(date, 31) ? `monthly, day ${Number(date)}, ${time}` : cron;
}
